// SPDX-License-Identifier: Apache-2.0
// The program's bytes. All numbers are little-endian:
//
//   header   u32 magic, u32 contract version, u32 container format, u32 sections, u64 bytes of the whole,
//            u64 checksum of everything behind the header
//   table    for each section: u32 id, u32 zero, u64 offset, u64 bytes; in the order of ids, without gaps but for
//   padding sections padded with zeros to multiples of 64 bytes
//
// A reader takes exactly this: any other id, order, size or leftover byte is an error.
#include <algorithm>
#include <array>
#include <avocet/compiler/program.hpp>
#include <iterator>

#include "avocet_isa.h"

namespace avocet::compiler {
namespace {

constexpr uint32_t kMagic = 0x4D475250u;  // the bytes PRGM
constexpr uint32_t kFormat = 3;
constexpr size_t kHeaderBytes = 32, kEntryBytes = 24, kAlignment = 64;

/// In the order in which they are stored.
constexpr uint32_t DeviceConfig::* kDeviceMembers[] = {
    &DeviceConfig::array_rows, &DeviceConfig::array_cols, &DeviceConfig::acc_rows,
    &DeviceConfig::vector_lanes, &DeviceConfig::sram_bytes, &DeviceConfig::sram_banks,
    &DeviceConfig::dma_channels, &DeviceConfig::dma_bytes_per_cycle, &DeviceConfig::dram_millibytes_per_cycle,
    &DeviceConfig::dram_latency, &DeviceConfig::clock_khz, &DeviceConfig::cores};
static_assert(sizeof(DeviceConfig) == std::size(kDeviceMembers) * sizeof(uint32_t), "a member is missing");

enum Section : uint32_t { kInfo, kBindings, kLayers, kStream, kConstantBytes, kSectionCount };

uint64_t fnv1a(std::span<const uint8_t> bytes) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3u;
  return hash;
}

/// Like fnv1a but eight bytes a step: constants can be many megabytes.
uint64_t checksum(std::span<const uint8_t> bytes) {
  uint64_t hash = 0xCBF29CE484222325u;
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word = 0;
    for (size_t i = 0; i < 8; ++i) word |= uint64_t{bytes[at + i]} << (8 * i);
    hash = (hash ^ word) * 0x100000001B3u;
    hash ^= hash >> 29;
  }
  return hash ^ fnv1a(bytes.subspan(at));
}

class Writer {
 public:
  void u32(uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
  void u64(uint64_t value) {
    u32(static_cast<uint32_t>(value));
    u32(static_cast<uint32_t>(value >> 32));
  }
  void text(const std::string& value) {
    u32(static_cast<uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  void words(const std::vector<uint32_t>& values) {
    u32(static_cast<uint32_t>(values.size()));
    for (uint32_t value : values) u32(value);
  }
  void raw(std::span<const uint8_t> values) { bytes_.insert(bytes_.end(), values.begin(), values.end()); }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  void pad() { bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment); }
  void put64(size_t at, uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_[at + static_cast<size_t>(i)] = static_cast<uint8_t>(value >> (8 * i));
  }
  size_t size() const { return bytes_.size(); }
  std::vector<uint8_t> take() { return std::move(bytes_); }
  std::span<const uint8_t> view() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, const char* what) : bytes_(bytes), what_(what) {}

  uint32_t u32() {
    need(4);
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= uint32_t{bytes_[at_ + i]} << (8 * i);
    at_ += 4;
    return value;
  }
  uint64_t u64() {
    const uint64_t low = u32();
    return low | uint64_t{u32()} << 32;
  }
  /// A count of things that take at least `bytes_each` bytes.
  uint32_t count(size_t bytes_each) {
    const uint32_t value = u32();
    if (value > left() / bytes_each) fail("ends too early");
    return value;
  }
  std::string text() {
    const uint32_t size = count(1);
    std::string value(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return value;
  }
  std::vector<uint32_t> words() {
    std::vector<uint32_t> values(count(4));
    for (uint32_t& value : values) value = u32();
    return values;
  }
  size_t left() const { return bytes_.size() - at_; }
  void end() const {
    if (left() != 0) fail("has bytes left over");
  }
  [[noreturn]] void fail(const char* problem) const {
    throw ProgramError(std::string("the program's ") + what_ + " " + problem);
  }

 private:
  void need(size_t bytes) const {
    if (left() < bytes) fail("ends too early");
  }
  std::span<const uint8_t> bytes_;
  const char* what_;
  size_t at_ = 0;
};

void write_bindings(Writer& writer, const std::vector<Binding>& bindings) {
  writer.u32(static_cast<uint32_t>(bindings.size()));
  for (const Binding& binding : bindings) {
    writer.u64(binding.offset);
    writer.u64(binding.bytes);
  }
}

std::vector<Binding> read_bindings(Reader& reader, uint64_t region_bytes) {
  std::vector<Binding> bindings(reader.count(16));
  for (Binding& binding : bindings) {
    binding.offset = reader.u64();
    binding.bytes = reader.u64();
    if (binding.offset > region_bytes || binding.bytes > region_bytes - binding.offset)
      reader.fail("reach beyond their region");
  }
  return bindings;
}

/// All but the constants, which can be large and are in the program as they stand in the container.
std::array<Writer, kSectionCount> write_sections(const Program& program) {
  std::array<Writer, kSectionCount> sections;
  for (uint64_t value : {program.constant_bytes, program.scratch_bytes, program.input_bytes, program.output_bytes,
                         program.predicted_cycles})
    sections[kInfo].u64(value);
  for (uint32_t DeviceConfig::* member : kDeviceMembers) sections[kInfo].u32(program.device.*member);
  write_bindings(sections[kBindings], program.inputs);
  write_bindings(sections[kBindings], program.outputs);
  sections[kLayers].u32(static_cast<uint32_t>(program.layers.size()));
  for (const Layer& layer : program.layers) {
    sections[kLayers].text(layer.name);
    sections[kLayers].words(layer.sources);
    sections[kLayers].words(layer.shape);
    sections[kLayers].u64(layer.macs);
  }
  for (uint32_t word : program.stream) sections[kStream].u32(word);
  return sections;
}

/// Checks everything around the sections and finds them.
std::array<std::span<const uint8_t>, kSectionCount> find_sections(std::span<const uint8_t> bytes) {
  Reader header(bytes.first(std::min(bytes.size(), kHeaderBytes)), "header");
  if (header.u32() != kMagic) throw ProgramError("these bytes are no program: the magic number is missing");
  const uint32_t version = header.u32();
  if (version >> 16 != AVOCET_VERSION_MAJOR || (version & 0xFFFF) > AVOCET_VERSION_MINOR)
    throw ProgramError("the program is for contract " + std::to_string(version >> 16) + "." +
                       std::to_string(version & 0xFFFF) + ", this is " + std::to_string(AVOCET_VERSION_MAJOR) + "." +
                       std::to_string(AVOCET_VERSION_MINOR));
  if (header.u32() != kFormat) header.fail("names another container format");
  if (header.u32() != kSectionCount) header.fail("names another number of sections");
  if (header.u64() != bytes.size()) header.fail("names another size: truncated or extended");
  if (header.u64() != checksum(bytes.subspan(kHeaderBytes)))
    header.fail("names another checksum: the bytes have changed");

  std::array<std::span<const uint8_t>, kSectionCount> sections;
  Reader table(bytes.subspan(kHeaderBytes), "section table");
  uint64_t end = kHeaderBytes + kSectionCount * kEntryBytes;
  for (uint32_t id = 0; id < kSectionCount; ++id) {
    if (table.u32() != id || table.u32() != 0) table.fail("names an unknown section");
    const uint64_t offset = table.u64(), size = table.u64();
    if (offset != (end + kAlignment - 1) / kAlignment * kAlignment) table.fail("has a gap");
    if (offset > bytes.size() || size > bytes.size() - offset) table.fail("reaches beyond the program");
    sections[id] = bytes.subspan(offset, size);
    end = offset + size;
  }
  if (bytes.size() != (end + kAlignment - 1) / kAlignment * kAlignment) table.fail("leaves bytes over");
  return sections;
}

}  // namespace

uint32_t Program::cores() const {
  uint32_t ends = 0;
  for (size_t at = 0; at < stream.size(); at += std::max(1u, avocet_command_length(stream[at])))
    if (avocet_command_opcode(stream[at]) == AVOCET_OP_END) ++ends;
  return std::max(1u, ends);
}

std::vector<uint8_t> Program::serialise() const {
  const std::array<Writer, kSectionCount> written = write_sections(*this);
  std::array<std::span<const uint8_t>, kSectionCount> sections;
  for (uint32_t id = 0; id < kSectionCount; ++id) sections[id] = written[id].view();
  sections[kConstantBytes] = constants;
  Writer writer;
  writer.u32(kMagic);
  writer.u32(AVOCET_VERSION);
  writer.u32(kFormat);
  writer.u32(kSectionCount);
  writer.u64(0);
  writer.u64(0);
  uint64_t end = kHeaderBytes + kSectionCount * kEntryBytes;
  for (uint32_t id = 0; id < kSectionCount; ++id) {
    const uint64_t offset = (end + kAlignment - 1) / kAlignment * kAlignment;
    writer.u32(id);
    writer.u32(0);
    writer.u64(offset);
    writer.u64(sections[id].size());
    end = offset + sections[id].size();
  }
  writer.reserve(end + kAlignment);
  for (const std::span<const uint8_t> section : sections) {
    writer.pad();
    writer.raw(section);
  }
  writer.pad();
  writer.put64(16, writer.size());
  writer.put64(24, checksum(writer.view().subspan(kHeaderBytes)));
  return writer.take();
}

Program Program::parse(std::span<const uint8_t> bytes, ConstantBytes constants) {
  const auto sections = find_sections(bytes);
  Program program;
  Reader info(sections[kInfo], "information");
  for (uint64_t* value :
       {&program.constant_bytes, &program.scratch_bytes, &program.input_bytes, &program.output_bytes,
        &program.predicted_cycles})
    *value = info.u64();
  for (uint32_t DeviceConfig::* member : kDeviceMembers) {
    program.device.*member = info.u32();
    if (program.device.*member == 0 && member != &DeviceConfig::dram_latency) info.fail("names an impossible device");
  }
  info.end();
  Reader bindings(sections[kBindings], "bindings");
  program.inputs = read_bindings(bindings, program.input_bytes);
  program.outputs = read_bindings(bindings, program.output_bytes);
  bindings.end();
  Reader layers(sections[kLayers], "layers");
  program.layers.resize(layers.count(20));
  for (Layer& layer : program.layers) {
    layer.name = layers.text();
    layer.sources = layers.words();
    layer.shape = layers.words();
    layer.macs = layers.u64();
  }
  layers.end();
  Reader stream(sections[kStream], "stream");
  if (sections[kStream].size() > AVOCET_STREAM_BYTES_MAX) stream.fail("is longer than the device takes");
  if (sections[kStream].empty() || sections[kStream].size() % 4 != 0) stream.fail("is no whole number of words");
  program.stream.resize(sections[kStream].size() / 4);
  for (uint32_t& word : program.stream) word = stream.u32();
  const std::span<const uint8_t> packed = sections[kConstantBytes];
  if (!packed.empty() && packed.size() != program.constant_bytes)
    throw ProgramError("the program's constants have another size than it names");
  if (constants == ConstantBytes::kPacked) program.constants.assign(packed.begin(), packed.end());
  return program;
}

}  // namespace avocet::compiler
