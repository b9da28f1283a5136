// SPDX-License-Identifier: Apache-2.0
// Topologies as SCALE-Sim has them: a head line, then a line for each layer. Convolutions: name, IFMAP height and width (with their
// padding), filter height and width, channels, filters, stride. Products: name, M, N, K.
#include <algorithm>
#include <cctype>
#include <span>
#include <sstream>

#include "inputs/tensor_input.hpp"
#include "workload/workload.hpp"

namespace avocet::tools {
namespace {

struct Column {
  const char* name;
  uint32_t high;
};

constexpr Column kConvolution[] = {{"IFMAP Height", 65535}, {"IFMAP Width", 65535}, {"Filter Height", 65535},
                                   {"Filter Width", 65535}, {"Channels", 65535},    {"Num Filter", 65535},
                                   {"Strides", 65535}};
constexpr Column kProduct[] = {{"M", 65535}, {"N", 65535}, {"K", 1u << 24}};

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// The cells of a line; a comma at its end is no further cell.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(trimmed(cell));
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

std::string letters(std::string text) {
  std::erase_if(text, [](unsigned char c) { return !std::isalnum(c); });
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

uint32_t number(const std::string& cell, const Column& column, const std::string& place) {
  const bool digits = !cell.empty() && cell.size() <= 9 && std::all_of(cell.begin(), cell.end(), ::isdigit);
  const uint64_t value = digits ? std::stoul(cell) : 0;
  if (value < 1 || value > column.high) refuse_value(place, column.name, cell, "1 to " + std::to_string(column.high));
  return static_cast<uint32_t>(value);
}

/// SCALE-Sim counts ceil((input - filter + stride) / stride) outputs: the last window may reach beyond the input.
uint32_t padding_behind(uint32_t in, uint32_t filter, uint32_t stride, const std::string& place, const char* axis) {
  if (filter > in)
    refuse_value(place, std::string("Filter ") + axis, filter, "at most the IFMAP's " + std::to_string(in));
  const uint32_t outputs = (in - filter + stride - 1) / stride + 1;
  return (outputs - 1) * stride + filter - in;
}

Json convolution(const std::string& name, const std::vector<uint32_t>& v, const std::string& place) {
  const uint32_t bottom = padding_behind(v[0], v[2], v[6], place, "Height");
  const uint32_t right = padding_behind(v[1], v[3], v[6], place, "Width");
  return {{"name", name},          {"op", "conv2d"},       {"input", {1u, v[0], v[1], v[4]}},
          {"filters", v[5]},       {"kernel", {v[2], v[3]}}, {"stride", v[6]},
          {"padding", {0u, bottom, 0u, right}}};
}

bool is_product_head(const std::vector<std::string>& head) {
  return head.size() >= 4 && letters(head[1]) == "m" && letters(head[2]) == "n" && letters(head[3]) == "k";
}

}  // namespace

Json read_topology(const std::string& path, std::vector<std::string>& places) {
  const std::vector<uint8_t> bytes = read_file(path);
  std::istringstream lines(std::string(bytes.begin(), bytes.end()));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> head = cells_of(line);
  const bool product = is_product_head(head);
  if (!product && (head.size() < 8 || letters(head[1]) != "ifmapheight"))
    throw InputError(path + ": line 1: " + shown(trimmed(line)) +
                     " is not allowed (Layer, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
                     "Strides or Layer, M, N, K)");
  const auto columns = product ? std::span<const Column>(kProduct) : std::span<const Column>(kConvolution);
  Json layers = Json::array();
  for (size_t number_of_line = 2; std::getline(lines, line); ++number_of_line) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.empty()) continue;
    const std::string place = path + ": line " + std::to_string(number_of_line);
    if (cells.size() < columns.size() + 1)
      throw InputError(place + ": " + std::to_string(cells.size()) + " columns are not allowed (a name and " +
                       std::to_string(columns.size()) + " numbers)");
    std::vector<uint32_t> values;
    for (size_t i = 0; i < columns.size(); ++i) values.push_back(number(cells[i + 1], columns[i], place));
    layers.push_back(product ? Json{{"name", cells[0]}, {"op", "gemm"}, {"m", values[0]}, {"n", values[1]}, {"k", values[2]}}
                             : convolution(cells[0], values, place));
    places.push_back(place);
  }
  if (layers.empty()) throw InputError(path + ": holds no layer");
  const size_t slash = path.rfind('/') + 1, dot = path.rfind('.');
  return {{"name", path.substr(slash, dot - slash)}, {"run", "layers"}, {"layers", std::move(layers)}};
}

}  // namespace avocet::tools
