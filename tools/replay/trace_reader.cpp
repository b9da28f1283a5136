// SPDX-License-Identifier: Apache-2.0
#include "replay/trace_reader.hpp"

#include <avocet_device.h>
#include <avocet_isa.h>
#include <uapi/avocet_accel.h>
#include <zip.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace avocet::tools {
namespace {

constexpr uint64_t kManifestMax = uint64_t{256} << 20;
constexpr uint64_t kBytesMax = uint64_t{4} << 30;  // the device's address space
constexpr size_t kObjectsMax = 1u << 20;

uint64_t whole(StrictObject& object, const std::string& key, uint64_t high) {
  const std::string allowed = "0 to " + std::to_string(high);
  const Json& value = object.required(key, allowed);
  if (!value.is_number_unsigned() || value.get<uint64_t>() > high) object.refuse(key, value, allowed);
  return value.get<uint64_t>();
}

/// An index into something of `count`.
size_t index(StrictObject& object, const std::string& key, size_t count) {
  const Json& value = object.required(key, "an index");
  if (!value.is_number_unsigned() || value.get<uint64_t>() >= count)
    object.refuse(key, value, count == 0 ? "there are none" : "0 to " + std::to_string(count - 1));
  return value.get<size_t>();
}

const Json& array(StrictObject& object, const std::string& key) {
  const std::string allowed = "an array of at most " + std::to_string(kObjectsMax);
  const Json& value = object.required(key, allowed);
  if (!value.is_array() || value.size() > kObjectsMax) object.refuse(key, value, allowed);
  return value;
}

bool is_hash(const std::string& text) {
  return text.size() == 32 && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c); });
}

std::string hash(StrictObject& object, const std::string& key, bool may_be_null) {
  const Json& value = object.required(key, "a hash");
  if (may_be_null && value.is_null()) return "";
  if (!value.is_string() || !is_hash(value.get<std::string>())) object.refuse(key, value, "32 hexadecimal digits");
  return value.get<std::string>();
}

std::string place_of(const std::string& what, size_t i) { return what + "[" + std::to_string(i) + "]"; }

}  // namespace

TraceReader::TraceReader(const std::string& path) : path_(path) {
  int code = 0;
  archive_ = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code);
  if (!archive_) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    refuse("is no whole trace (a ZIP archive): " + why);
  }
  try {
    read_manifest();
  } catch (...) {
    zip_discard(archive_);
    throw;
  }
}

TraceReader::~TraceReader() { zip_discard(archive_); }

uint64_t TraceReader::size_of(const std::string& name) const {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat(archive_, name.c_str(), 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE)) refuse("holds no " + name);
  return stat.size;
}

void TraceReader::read_entry(const std::string& name, uint64_t bytes, uint8_t* to) const {
  zip_file_t* file = zip_fopen(archive_, name.c_str(), 0);
  if (!file) refuse("holds no " + name + " that can be read: " + zip_strerror(archive_));
  uint64_t done = 0;
  while (done < bytes) {
    const zip_int64_t got = zip_fread(file, to + done, bytes - done);
    if (got <= 0) break;
    done += static_cast<uint64_t>(got);
  }
  zip_fclose(file);
  if (done != bytes) refuse(name + " is damaged");
}

void TraceReader::read_content(const std::string& name, uint64_t bytes, uint8_t* to) const {
  const std::string entry = "blobs/" + name;
  if (const uint64_t size = size_of(entry); size != bytes)
    refuse(entry + " has " + std::to_string(size) + " bytes, its region " + std::to_string(bytes));
  read_entry(entry, bytes, to);
  char text[33];
  avocet_sim_content_hash(to, bytes, text);
  if (name != text) refuse(entry + " is damaged: its content has hash " + text);
}

std::vector<uint32_t> TraceReader::read_stream(const std::string& name) const {
  const uint64_t bytes = size_of("blobs/" + name);
  if (bytes == 0 || bytes % 4 != 0 || bytes > AVOCET_STREAM_BYTES_MAX)
    refuse("blobs/" + name + " is no command stream: " + std::to_string(bytes) + " bytes (4 to " +
           std::to_string(AVOCET_STREAM_BYTES_MAX) + ", a multiple of 4)");
  std::vector<uint32_t> words(bytes / 4);
  read_content(name, bytes, reinterpret_cast<uint8_t*>(words.data()));
  return words;
}

void TraceReader::read_manifest() {
  const uint64_t bytes = size_of("manifest.json");
  if (bytes > kManifestMax) refuse("manifest.json has " + std::to_string(bytes) + " bytes (at most 256 MiB)");
  std::vector<uint8_t> text(bytes);
  read_entry("manifest.json", bytes, text.data());
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse("manifest.json is no valid JSON");
  StrictObject root(json, path_ + ": manifest.json");
  if (root.required("format", "avocet-trace") != "avocet-trace")
    root.refuse("format", root.required("format", ""), "avocet-trace");
  if (root.required("version", "1") != 1) root.refuse("version", root.required("version", ""), "1");
  StrictObject contract(root.required("contract", "an object"), root.place() + ": contract");
  const uint64_t major = whole(contract, "major", UINT16_MAX), minor = whole(contract, "minor", UINT16_MAX);
  contract.finish("a contract");
  if (major != AVOCET_VERSION_MAJOR || minor > AVOCET_VERSION_MINOR)
    refuse("was recorded with contract " + std::to_string(major) + "." + std::to_string(minor) + ", this device has " +
           std::to_string(AVOCET_VERSION_MAJOR) + "." + std::to_string(AVOCET_VERSION_MINOR) +
           ": its command streams may mean something else");
  configuration_ = root.required("configuration", "an object");
  if (!configuration_.is_object()) root.refuse("configuration", configuration_, "an object");
  read_objects(root);
  read_submits(array(root, "submits"));
  read_events(array(root, "events"));
  root.finish("a trace");
}

void TraceReader::read_objects(StrictObject& root) {
  contexts = whole(root, "contexts", AVOCET_CONTEXTS_MAX);
  const Json &buffer_list = array(root, "buffers"), &program_list = array(root, "programs");
  for (size_t i = 0; i < buffer_list.size(); ++i) {
    StrictObject object(buffer_list[i], root.place() + ": " + place_of("buffers", i));
    RecordedBuffer buffer;
    buffer.context = index(object, "context", contexts);
    buffer.bytes = whole(object, "bytes", kBytesMax);
    buffer.flags = static_cast<uint32_t>(whole(object, "flags", UINT32_MAX));
    object.finish("a buffer");
    buffers.push_back(buffer);
  }
  for (size_t i = 0; i < program_list.size(); ++i) {
    StrictObject object(program_list[i], root.place() + ": " + place_of("programs", i));
    programs.push_back({index(object, "context", contexts), hash(object, "stream", false)});
    object.finish("a program");
  }
}

void TraceReader::read_submits(const Json& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string place = path_ + ": manifest.json: " + place_of("submits", i);
    StrictObject object(list[i], place);
    RecordedSubmit submit;
    submit.context = index(object, "context", contexts);
    submit.time_ns = whole(object, "time_ns", INT64_MAX);
    const Json& jobs = array(object, "jobs");
    for (size_t j = 0; j < jobs.size(); ++j)
      submit.jobs.push_back(read_job(jobs[j], place + ": " + place_of("jobs", j), submit.context));
    object.finish("a submission");
    submits.push_back(std::move(submit));
  }
}

RecordedJob TraceReader::read_job(const Json& value, const std::string& place, size_t context) const {
  StrictObject object(value, place);
  RecordedJob job;
  job.program = index(object, "program", programs.size());
  if (programs[job.program].context != context) object.refuse("program", job.program, "one of the same context");
  job.priority = static_cast<uint32_t>(whole(object, "priority", AVOCET_ACCEL_PRIORITY_HIGH));
  whole(object, "time_left_ns", UINT64_MAX);
  if (const Json& profile = object.required("profile", "an object or null"); !profile.is_null()) {
    StrictObject keys(profile, place + ": profile");
    job.profile_buffer = index(keys, "buffer", buffers.size());
    job.profile_offset = whole(keys, "offset", kBytesMax);
    job.profile_entries = static_cast<uint32_t>(whole(keys, "entries", AVOCET_TAGS_MAX));
    keys.finish("a profile");
    const uint64_t bytes = uint64_t{job.profile_entries} * sizeof(avocet_profile);
    if (job.profile_offset + bytes > buffers[job.profile_buffer].bytes)
      object.refuse("profile", profile, "within its buffer of " + std::to_string(buffers[job.profile_buffer].bytes) + " bytes");
  }
  const Json& regions = array(object, "regions");
  for (size_t i = 0; i < regions.size(); ++i)
    job.regions.push_back(read_region(regions[i], place + ": " + place_of("regions", i), context));
  if (const Json& end = object.required("end", "an object or null"); !end.is_null()) {
    StrictObject keys(end, place + ": end");
    job.ended = true;
    job.status = static_cast<uint32_t>(whole(keys, "status", UINT32_MAX));
    const uint64_t start = whole(keys, "start_cycle", INT64_MAX), stop = whole(keys, "end_cycle", INT64_MAX);
    job.cycles = stop - std::min(start, stop);
    keys.finish("an end");
  }
  object.finish("a job");
  return job;
}

RecordedRegion TraceReader::read_region(const Json& value, const std::string& place, size_t context) const {
  StrictObject object(value, place);
  RecordedRegion region;
  region.index = static_cast<uint32_t>(whole(object, "index", AVOCET_ACCEL_REGIONS - 1));
  region.buffer = index(object, "buffer", buffers.size());
  const RecordedBuffer& buffer = buffers[region.buffer];
  if (buffer.context != context) object.refuse("buffer", region.buffer, "one of the same context");
  region.offset = whole(object, "offset", buffer.bytes);
  region.bytes = whole(object, "bytes", buffer.bytes - region.offset);
  region.flags = static_cast<uint32_t>(whole(object, "flags", AVOCET_ACCEL_REGION_READ | AVOCET_ACCEL_REGION_WRITE));
  region.content = hash(object, "content", true);
  region.result = hash(object, "result", true);
  object.finish("a region");
  return region;
}

void TraceReader::read_events(const Json& list) {
  std::vector<size_t> ends(submits.size());
  size_t submitted = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    StrictObject object(list[i], path_ + ": manifest.json: " + place_of("events", i));
    RecordedEvent event;
    event.is_end = object.find("end") != nullptr;
    if (event.is_end) {
      const std::vector<uint32_t> pair = object.list("end", 2, 2, 0, UINT32_MAX);
      event.submit = pair[0];
      event.job = pair[1];
      if (event.submit >= submitted || event.job >= submits[event.submit].jobs.size() ||
          !submits[event.submit].jobs[event.job].ended || ++ends[event.submit] > submits[event.submit].jobs.size())
        object.refuse("end", *object.find("end"), "a job that was submitted before, once");
    } else {
      event.submit = index(object, "submit", submits.size());
      if (event.submit != submitted++) object.refuse("submit", event.submit, "every submission once, in their order");
    }
    object.finish("an event");
    events.push_back(event);
  }
  if (submitted != submits.size()) refuse("manifest.json: events: some submissions are missing");
}

}  // namespace avocet::tools
