// SPDX-License-Identifier: Apache-2.0
// The C face of the model. One device for the process's lifetime, never destroyed: SystemC elaborates once, and its thread may
// still run when static destructors do.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "avocet_model.h"
#include "simulation_thread.hpp"

namespace avocet::model {

namespace {

struct Model {
  std::mutex mutex; // open and close
  bool elaborated = false;
  bool open = false;
  Config config;
  std::string text;
  SimulationThread thread;
};

// Leaked on purpose; constructed on first use.
Model &model() {
  static Model *const instance = new Model;
  return *instance;
}

int refuse(int error_number, const std::string &sentence, char *error, size_t error_bytes) {
  if (error != nullptr && error_bytes > 0) std::snprintf(error, error_bytes, "%s", sentence.c_str());
  return -error_number;
}

int elaborate(Model &m, const Config &config, char *error, size_t error_bytes) {
  m.config = config;
  m.text = config_text(config);
  std::string failure = m.thread.start(m.config);
  if (!failure.empty()) return refuse(EIO, "the model could not be built: " + failure, error, error_bytes);
  m.elaborated = true;
  std::atexit([] { model().thread.park(); });
  return 0;
}

int open_model(const char *path, const char *engine, const avocet_model_host &host, char *error, size_t error_bytes) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  Config config = read_config(path, engine, host.firmware);
  if (m.elaborated && config_text(config) != m.text)
    return refuse(EBUSY, "the device of this process was built with another configuration or engine", error, error_bytes);
  if (m.open) return refuse(EBUSY, "the device is open already", error, error_bytes);
  if (!m.elaborated) {
    int result = elaborate(m, config, error, error_bytes);
    if (result != 0) return result;
  }
  std::string complaint;
  m.thread.faults().set(config.faults, &complaint); // the configuration was checked
  m.thread.power_on(host);
  m.open = true;
  return 0;
}

} // namespace

} // namespace avocet::model

using namespace avocet::model;

extern "C" int avocet_model_open(const char *config_path, const char *engine, const struct avocet_model_host *host,
                                 char *error, size_t error_bytes) {
  if (error != nullptr && error_bytes > 0) error[0] = '\0';
  try {
    return open_model(config_path, engine, *host, error, error_bytes);
  } catch (const ConfigError &complaint) {
    return refuse(complaint.missing_file ? ENOENT : EINVAL, complaint.what(), error, error_bytes);
  } catch (const std::exception &failure) {
    return refuse(ENOMEM, failure.what(), error, error_bytes);
  }
}

extern "C" void avocet_model_close(void) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  if (!m.open) return;
  m.thread.power_off();
  m.open = false;
}

extern "C" uint32_t avocet_model_read(uint32_t offset) { return model().thread.read(offset); }

extern "C" void avocet_model_write(uint32_t offset, uint32_t value) { model().thread.write(offset, value); }

extern "C" bool avocet_model_unit_counters(uint32_t core, uint32_t unit, uint64_t *cycles,
                                           struct avocet_model_counters *counters) {
  return model().thread.unit_counters(core, unit, cycles, counters);
}

extern "C" bool avocet_model_memory_counters(struct avocet_model_dram_counters *counters) {
  return model().thread.dram_counters(counters);
}

extern "C" int avocet_model_write_waves(const char *path) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  try {
    return m.open ? m.thread.write_waves(path) : -ENODEV;
  } catch (const std::exception &) {
    return -ENOMEM;
  }
}

extern "C" int avocet_model_finish_waves(void) { return model().thread.finish_waves(); }

extern "C" int avocet_model_set_faults(const char *specification, char *error, size_t error_bytes) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  std::string complaint;
  if (!m.open) return refuse(ENODEV, "the device is not open", error, error_bytes);
  if (m.thread.faults().set(specification != nullptr ? specification : "", &complaint)) return 0;
  return refuse(EINVAL, complaint, error, error_bytes);
}

extern "C" int avocet_model_check_faults(const char *specification, char *error, size_t error_bytes) {
  FaultRules rules;
  std::string complaint;
  if (parse_faults(specification != nullptr ? specification : "", &rules, &complaint)) return 0;
  return refuse(EINVAL, complaint, error, error_bytes);
}

extern "C" bool avocet_model_fault_in_force(const char *kind) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  for (const FaultKindRow &row : fault_kinds())
    if (m.open && std::string(row.name) == kind) return m.thread.faults().in_force(row.kind);
  return false;
}

extern "C" bool avocet_model_fault_report(size_t index, char *text, size_t text_bytes, uint64_t *struck) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  std::string rule;
  if (!m.open || !m.thread.faults().report(index, &rule, struck)) return false;
  if (text != nullptr && text_bytes > 0) std::snprintf(text, text_bytes, "%s", rule.c_str());
  return true;
}

extern "C" uint64_t avocet_model_ecc_corrected(void) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  return m.open ? m.thread.faults().corrected() : 0;
}

extern "C" bool avocet_model_describe_fault(size_t index, struct avocet_model_fault_kind *kind) {
  static const std::vector<std::string> kHelp = [] {
    std::vector<std::string> help;
    for (const FaultKindRow &row : fault_kinds()) help.push_back(fault_parameter_help(row));
    return help;
  }();
  if (index >= fault_kinds().size()) return false;
  const FaultKindRow &row = fault_kinds()[index];
  *kind = {row.name, row.counts, row.doc, kHelp[index].c_str()};
  return true;
}

extern "C" const char *avocet_model_config(void) {
  Model &m = model();
  std::lock_guard lock(m.mutex);
  return m.open ? m.text.c_str() : nullptr;
}
