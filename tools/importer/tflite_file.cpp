// SPDX-License-Identifier: Apache-2.0
// The flatbuffers verifier makes the offsets safe; the checks here make the indexes and sizes safe.
#include "importer/tflite_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "input_error.hpp"

namespace avocet::tools {
namespace {

constexpr uint64_t kMaxTensorBytes = uint64_t{1} << 30;
constexpr uint32_t kMaxRank = 8;

}  // namespace

TfliteTypeInfo tflite_type_info(tflite::TensorType type) {
  switch (type) {
    case tflite::TensorType::FLOAT32: return {"float32", 4};
    case tflite::TensorType::FLOAT16: return {"float16", 2};
    case tflite::TensorType::INT32: return {"int32", 4};
    case tflite::TensorType::UINT8: return {"uint8", 1};
    case tflite::TensorType::INT64: return {"int64", 8};
    case tflite::TensorType::BOOL: return {"bool", 1};
    case tflite::TensorType::INT16: return {"int16", 2};
    case tflite::TensorType::INT8: return {"int8", 1};
    default: return {tflite::EnumNameTensorType(type), 0};
  }
}

std::vector<int64_t> zero_points_of(const tflite::Tensor& tensor) {
  const auto* quantization = tensor.quantization();
  if (!quantization || !quantization->zero_point()) return {};
  std::vector<int64_t> values(quantization->zero_point()->size());
  if (!values.empty()) std::memcpy(values.data(), quantization->zero_point()->Data(), values.size() * sizeof(int64_t));
  return values;
}

TfliteFile TfliteFile::read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path + ": cannot be opened");
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw InputError(path + ": cannot be read");
  return TfliteFile(std::move(bytes), path);
}

TfliteFile::TfliteFile(std::vector<uint8_t> bytes, std::string path) : bytes_(std::move(bytes)), path_(std::move(path)) {
  if (bytes_.size() < 8 || !tflite::ModelBufferHasIdentifier(bytes_.data())) {
    fail("not a TensorFlow Lite model (no TFL3 identifier)");
  }
  flatbuffers::Verifier verifier(bytes_.data(), bytes_.size(), 64, 10'000'000);
  if (!tflite::VerifyModelBuffer(verifier)) fail("damaged: the flatbuffer does not verify (truncated or corrupt)");
  model_ = tflite::GetModel(bytes_.data());
  if (model_->version() != 3) fail("schema version " + std::to_string(model_->version()) + ", expected 3");
  if (!model_->subgraphs() || model_->subgraphs()->size() == 0) fail("no subgraph");
  if (model_->subgraphs()->size() > 1) fail("more than one subgraph (control flow), which is not supported");
  graph_ = model_->subgraphs()->Get(0);
  if (!graph_->tensors() || !graph_->inputs() || !graph_->outputs() || !graph_->operators()) {
    fail("a subgraph without tensors, inputs, outputs or operators");
  }
  if (!model_->operator_codes() || !model_->buffers()) fail("no operator codes or no buffers");
  check_tensors();
  check_operators();
}

void TfliteFile::fail(const std::string& what) const { throw InputError(path_ + ": " + what); }

void TfliteFile::check_tensors() const {
  const auto count = static_cast<int>(tensor_count());
  for (int i = 0; i < count; ++i) check_tensor(i);
  for (const auto* list : {graph_->inputs(), graph_->outputs()}) {
    for (const int32_t index : *list) {
      if (index < 0 || index >= count) {
        fail("model input or output names tensor " + std::to_string(index) + " of " + std::to_string(count));
      }
    }
  }
}

void TfliteFile::check_tensor(int index) const {
  const tflite::Tensor& tensor = this->tensor(index);
  const std::string where = "tensor " + std::to_string(index) + ": ";
  uint64_t bytes = tflite_type_info(tensor.type()).element_bytes;
  if (tensor.shape()) {
    if (tensor.shape()->size() > kMaxRank) fail(where + "rank " + std::to_string(tensor.shape()->size()));
    for (const int32_t extent : *tensor.shape()) {
      if (extent < 0) fail(where + "dimension " + std::to_string(extent));
      bytes *= static_cast<uint64_t>(extent);
      if (bytes > kMaxTensorBytes) fail(where + "larger than 1 GiB");
    }
  }
  if (tensor.buffer() != 0 && tensor.buffer() >= model_->buffers()->size()) {
    fail(where + "buffer " + std::to_string(tensor.buffer()) + " of " + std::to_string(model_->buffers()->size()));
  }
  const std::span<const uint8_t> data = constant(index);
  if (!data.empty() && bytes != 0 && data.size() != bytes) {
    fail(where + "its buffer has " + std::to_string(data.size()) + " bytes, its shape needs " + std::to_string(bytes));
  }
  const auto* quantization = tensor.quantization();
  if (!quantization || !quantization->scale()) return;
  for (const float scale : *quantization->scale()) {
    if (!std::isfinite(scale) || scale < 0) fail(where + "scale " + std::to_string(scale));
  }
}

void TfliteFile::check_operators() const {
  const auto count = static_cast<int>(tensor_count());
  for (uint32_t i = 0; i < graph_->operators()->size(); ++i) {
    const tflite::Operator& op = *graph_->operators()->Get(i);
    const std::string where = "operator " + std::to_string(i) + ": ";
    if (op.opcode_index() >= model_->operator_codes()->size()) fail(where + "operator code out of range");
    if (!op.inputs() || !op.outputs()) fail(where + "no inputs or no outputs");
    for (const int32_t index : *op.inputs()) {
      if (index < -1 || index >= count) fail(where + "input tensor " + std::to_string(index) + " does not exist");
    }
    for (const int32_t index : *op.outputs()) {
      if (index < 0 || index >= count) fail(where + "output tensor " + std::to_string(index) + " does not exist");
    }
  }
}

std::vector<uint32_t> TfliteFile::shape(int index) const {
  const auto* shape = tensor(index).shape();
  if (!shape) return {};
  return {shape->begin(), shape->end()};
}

std::span<const uint8_t> TfliteFile::constant(int index) const {
  // Buffer 0 means "no data", and a file without any constant may lack even that one.
  const uint32_t buffer = tensor(index).buffer();
  if (buffer >= model_->buffers()->size()) return {};
  const auto* data = model_->buffers()->Get(buffer)->data();
  if (!data) return {};
  return {data->data(), data->size()};
}

tflite::BuiltinOperator TfliteFile::operator_code(const tflite::Operator& op) const {
  // Old files have only the byte, new ones both: the larger one is the code.
  const tflite::OperatorCode& code = *model_->operator_codes()->Get(op.opcode_index());
  return std::max(code.builtin_code(), static_cast<tflite::BuiltinOperator>(code.deprecated_builtin_code()));
}

std::string TfliteFile::operator_name(const tflite::Operator& op) const {
  const tflite::BuiltinOperator code = operator_code(op);
  if (code == tflite::BuiltinOperator::CUSTOM) {
    const auto* name = model_->operator_codes()->Get(op.opcode_index())->custom_code();
    return "CUSTOM:" + (name ? name->str() : std::string("?"));
  }
  const char* name = tflite::EnumNameBuiltinOperator(code);
  return *name ? name : "builtin " + std::to_string(static_cast<int>(code));
}

}  // namespace avocet::tools
