// SPDX-License-Identifier: Apache-2.0
// The firmware built natively: its port on the management core. Every access to a register or to memory costs its configured
// cycles, the instructions around it included.
#include <atomic>

#include "avocet_firmware.h"
#include "management_core.hpp"

namespace avocet::model {

namespace {

class NativeProcessor : public CoreProcessor {
public:
  explicit NativeProcessor(ManagementCore &core) : core_(core), port_(make_port()) {}
  void run() override { avocet_firmware_main(&firmware_, &port_); }

private:
  static NativeProcessor &self(void *opaque) { return *static_cast<NativeProcessor *>(opaque); }
  void spend_register() { core_.spend(core_.config().firmware_register_cycles); }
  uint32_t wait_events();
  avocet_firmware_port make_port();

  ManagementCore &core_;
  avocet_firmware firmware_{};
  const avocet_firmware_port port_;
};

uint32_t NativeProcessor::wait_events() {
  spend_register();
  core_.sleep_until([this] { return core_.events() != 0; });
  return core_.held() ? 0 : core_.events();
}

avocet_firmware_port NativeProcessor::make_port() {
  avocet_firmware_port port{};
  port.opaque = this;
  port.rd32 = [](void *opaque, uint32_t offset) -> uint32_t {
    self(opaque).spend_register();
    return self(opaque).core_.read_register(offset);
  };
  port.wr32 = [](void *opaque, uint32_t offset, uint32_t value) {
    self(opaque).spend_register();
    std::atomic_thread_fence(std::memory_order_release);
    self(opaque).core_.write_register(offset, value);
  };
  port.load = [](void *opaque, uint64_t address, void *data, uint32_t bytes) {
    ManagementCore &core = self(opaque).core_;
    core.spend_memory(bytes);
    return !core.held() && core.bus().read(address, data, bytes);
  };
  port.store = [](void *opaque, uint64_t address, const void *data, uint32_t bytes) {
    ManagementCore &core = self(opaque).core_;
    core.spend_memory(bytes);
    return !core.held() && core.bus().write(address, data, bytes);
  };
  port.load32 = [](void *opaque, uint64_t address, uint32_t *value) {
    ManagementCore &core = self(opaque).core_;
    core.spend_memory(4);
    return core.load_shared(address, value);
  };
  port.store32 = [](void *opaque, uint64_t address, uint32_t value) {
    ManagementCore &core = self(opaque).core_;
    core.spend_memory(4);
    return core.store_shared(address, value);
  };
  port.fence = [](void *) { std::atomic_thread_fence(std::memory_order_seq_cst); };
  port.cycles = [](void *opaque) -> uint64_t {
    self(opaque).spend_register();
    return self(opaque).core_.now();
  };
  port.wait_events = [](void *opaque) { return self(opaque).wait_events(); };
  return port;
}

} // namespace

std::unique_ptr<CoreProcessor> make_native_processor(ManagementCore &core) {
  return std::make_unique<NativeProcessor>(core);
}

} // namespace avocet::model
