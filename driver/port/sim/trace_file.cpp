// SPDX-License-Identifier: Apache-2.0
// The trace's file: a ZIP archive of manifest.json and blobs/HASH, the contents of streams and regions. traces/README.md describes
// the manifest.
#include <zip.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <nlohmann/json.hpp>

#include "avocet_isa.h"
#include "trace_recorder.hpp"

namespace avocet::sim {
namespace {

using Json = nlohmann::ordered_json;

Json hash_or_null(const std::string& hash) { return hash.empty() ? Json() : Json(hash); }

Json job_json(const TraceJob& job) {
  Json regions = Json::array();
  for (const TraceRegion& region : job.regions)
    regions.push_back({{"index", region.index},
                       {"buffer", region.buffer},
                       {"offset", region.offset},
                       {"bytes", region.bytes},
                       {"flags", region.flags},
                       {"content", hash_or_null(region.content)},
                       {"result", hash_or_null(region.result)}});
  Json json = {{"program", job.program}, {"priority", job.priority}, {"time_left_ns", job.time_left_ns}};
  json["profile"] = job.profile_entries == 0 ? Json()
                                             : Json{{"buffer", job.profile_buffer},
                                                    {"offset", job.profile_offset},
                                                    {"entries", job.profile_entries}};
  json["regions"] = std::move(regions);
  json["end"] = job.ended ? Json{{"status", job.status}, {"start_cycle", job.start_cycle}, {"end_cycle", job.end_cycle}}
                          : Json();
  return json;
}

Json manifest(const Trace& trace, const std::string& config) {
  Json buffers = Json::array(), programs = Json::array(), submits = Json::array(), events = Json::array();
  for (const TraceBuffer& buffer : trace.buffers)
    buffers.push_back({{"context", buffer.context}, {"bytes", buffer.bytes}, {"flags", buffer.flags}});
  for (const TraceProgram& program : trace.programs)
    programs.push_back({{"context", program.context}, {"stream", program.stream}});
  for (const TraceSubmit& submit : trace.submits) {
    Json jobs = Json::array();
    for (const TraceJob& job : submit.jobs) jobs.push_back(job_json(job));
    submits.push_back({{"context", submit.context}, {"time_ns", submit.time_ns}, {"jobs", std::move(jobs)}});
  }
  for (const TraceEvent& event : trace.events)
    events.push_back(event.is_end ? Json{{"end", Json::array({event.submit, event.job})}} : Json{{"submit", event.submit}});
  return {{"format", "avocet-trace"},
          {"version", 1},
          {"contract", {{"major", AVOCET_VERSION_MAJOR}, {"minor", AVOCET_VERSION_MINOR}}},
          {"configuration", Json::parse(config, nullptr, false)},
          {"contexts", trace.contexts},
          {"buffers", std::move(buffers)},
          {"programs", std::move(programs)},
          {"submits", std::move(submits)},
          {"events", std::move(events)}};
}

/// The bytes must stay until the archive is closed.
bool add(zip_t* archive, const std::string& name, const void* data, size_t bytes) {
  zip_source_t* source = zip_source_buffer(archive, data, bytes, 0);
  if (!source) return false;
  const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  // No dates: equal traces are equal files. 1980-01-01, the first that the form has.
  const auto entry = static_cast<zip_uint64_t>(index);
  return zip_set_file_compression(archive, entry, ZIP_CM_DEFLATE, 1) == 0 &&
         zip_file_set_dostime(archive, entry, 0, 1 << 5 | 1, 0) == 0;
}

}  // namespace

int write_trace(const Trace& trace, const std::string& config, const std::string& path, std::string* error) {
  const std::string text = manifest(trace, config).dump(1) + "\n";
  const std::string part = path + ".part";
  int code = 0;
  zip_t* archive = zip_open(part.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  bool good = archive && add(archive, "manifest.json", text.data(), text.size());
  for (const auto& [hash, bytes] : trace.blobs) good = good && add(archive, "blobs/" + hash, bytes.data(), bytes.size());
  std::string why = archive ? zip_strerror(archive) : std::strerror(errno);
  if (good && zip_close(archive) != 0) {
    good = false;
    why = zip_strerror(archive);
  }
  if (archive && !good) zip_discard(archive);
  if (good && std::rename(part.c_str(), path.c_str()) != 0) {
    good = false;
    why = std::strerror(errno);
  }
  if (good) return 0;
  std::remove(part.c_str());
  *error = "cannot write the trace " + path + ": " + why;
  return -EIO;
}

}  // namespace avocet::sim
