// SPDX-License-Identifier: Apache-2.0
// Workloads: networks given by the shapes of their layers, with seeded weights. traces/README.md describes the form.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "importer/importer.hpp"
#include "workload/strict_json.hpp"

namespace avocet::tools {

/// A model of the workload: the whole network, or one of the layers that run alone.
struct WorkloadPart {
  std::string name;
  ImportedModel model;
  uint32_t repeat = 1;  // runs of this model: equal slices of a layer too large for one command stream
};

struct Workload {
  std::string name;
  bool layers_alone = false;  // each layer is a part of its own
  std::vector<WorkloadPart> parts;
};

struct WorkloadOptions {
  bool values = true;  // false: constants are shapes alone, for an engine that moves no values
  /// Of the device, to cut products that are too large for one command stream; 0: unknown, nothing is cut.
  uint32_t array_rows = 0, array_columns = 0;
};

/// Whether a path names a workload (.json) or a topology in SCALE-Sim's form (.csv).
bool is_workload_path(const std::string& path);

/// Throws InputError: one line with file, layer, key, value and what is allowed.
Workload read_workload(const std::string& path, const WorkloadOptions& options);

/// The same from JSON. `place_of` says where layer i stands ("FILE: layers[3]").
Workload make_workload(const Json& root, const std::string& path, const std::function<std::string(size_t)>& place_of,
                       const WorkloadOptions& options);

/// A topology in SCALE-Sim's form as the JSON of a workload; `places` receives where each layer stands.
Json read_topology(const std::string& path, std::vector<std::string>& places);

/// The one model of a network. Throws InputError for layers that run alone.
ImportedModel import_workload(const std::string& path, bool values);

}  // namespace avocet::tools
