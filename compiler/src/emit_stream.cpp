// SPDX-License-Identifier: Apache-2.0
#include "emit_stream.hpp"

#include <cstddef>

#include "hazards.hpp"

namespace avocet::compiler {
namespace {

class Emitter {
 public:
  explicit Emitter(const Schedule& schedule) : schedule_(schedule) {}

  std::vector<uint32_t> run() {
    std::vector<std::vector<const Load*>> loads(schedule_.slots.size());
    for (const Load& load : schedule_.loads) loads[load.slot].push_back(&load);
    size_t barrier = 0;
    for (size_t slot = 0; slot < schedule_.slots.size(); ++slot) {
      for (; barrier < schedule_.barriers.size() && schedule_.barriers[barrier].slot <= slot; ++barrier)
        add(schedule_.barriers[barrier].command);
      for (const Load* load : loads[slot]) add(load->commands);
      add(schedule_.slots[slot].compute);
      add(schedule_.slots[slot].stores);
    }
    const avocet_cmd_end end{};
    uint32_t words[AVOCET_END_WORDS];
    avocet_end_encode(&end, 0, words);
    stream_.insert(stream_.end(), words, words + AVOCET_END_WORDS);
    return std::move(stream_);
  }

 private:
  void add(const std::vector<Command>& commands) {
    for (const Command& command : commands) add(command);
  }

  void add(const Command& command) {
    auto words = command.words;
    const uint32_t opcode = avocet_command_opcode(words[0]);
    const SramFields::Row& fields = sram_fields_[opcode];
    for (uint32_t i = 0; i < fields.count; ++i)
      words[fields.words[i]] += static_cast<uint32_t>(schedule_.blocks[command.blocks[i]].address);
    const uint32_t unit = avocet_command_unit(words.data());
    for (const Hazards::Wait& wait : hazards_.issue(words.data())) {
      const avocet_cmd_wait c{unit, wait.producer, wait.count};
      uint32_t wait_words[AVOCET_WAIT_WORDS];
      avocet_wait_encode(&c, avocet_command_tag(words[0]), wait_words);
      stream_.insert(stream_.end(), wait_words, wait_words + AVOCET_WAIT_WORDS);
    }
    stream_.insert(stream_.end(), words.begin(), words.begin() + avocet_command_length(words[0]));
  }

  const Schedule& schedule_;
  const SramFields sram_fields_;
  Hazards hazards_;
  std::vector<uint32_t> stream_;
};

}  // namespace

std::vector<uint32_t> emit_stream(const Schedule& schedule) { return Emitter(schedule).run(); }

}  // namespace avocet::compiler
