// SPDX-License-Identifier: Apache-2.0
// The headers from C11: layouts clients were compiled with, the type of every function, and a run of an ADD.
#include <android/NeuralNetworks.h>
#include <assert.h>

static_assert(sizeof(OperandCode) == 4, "enums are 32 bits");
static_assert(sizeof(ANeuralNetworksOperationType) == 4, "");
static_assert(ANEURALNETWORKS_RANK == 101 && ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED == 14, "");
static_assert(ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES == 128, "");
static_assert(ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN == 32, "");
static_assert(ANEURALNETWORKS_PRIORITY_DEFAULT == 100, "");
static_assert(offsetof(ANeuralNetworksOperandType, dimensions) == 8, "");
static_assert(offsetof(ANeuralNetworksOperandType, scale) == 8 + sizeof(void*), "");
static_assert(offsetof(ANeuralNetworksOperandType, zeroPoint) == 12 + sizeof(void*), "");
static_assert(offsetof(ANeuralNetworksSymmPerChannelQuantParams, scales) == 8, "");
static_assert(sizeof(AHardwareBuffer_Desc) == 40, "");
static_assert(offsetof(AHardwareBuffer_Desc, usage) == 16 && offsetof(AHardwareBuffer_Desc, stride) == 24, "");
static_assert(sizeof(ARect) == 16, "");

int avocet_add_from_c(float a, float b, float* sum);

int avocet_add_from_c(float a, float b, float* sum) {
  const uint32_t one = 1, inputs[] = {0, 1, 2}, outputs[] = {3};
  const ANeuralNetworksOperandType tensor = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, &one, 0.0f, 0};
  const ANeuralNetworksOperandType scalar = {ANEURALNETWORKS_INT32, 0, NULL, 0.0f, 0};
  const int32_t none = ANEURALNETWORKS_FUSED_NONE;
  ANeuralNetworksModel* model = NULL;
  ANeuralNetworksCompilation* compilation = NULL;
  ANeuralNetworksExecution* execution = NULL;
  int result = ANeuralNetworksModel_create(&model);
  if (!result) result = ANeuralNetworksModel_addOperand(model, &tensor);
  if (!result) result = ANeuralNetworksModel_addOperand(model, &tensor);
  if (!result) result = ANeuralNetworksModel_addOperand(model, &scalar);
  if (!result) result = ANeuralNetworksModel_addOperand(model, &tensor);
  if (!result) result = ANeuralNetworksModel_setOperandValue(model, 2, &none, sizeof none);
  if (!result) result = ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_ADD, 3, inputs, 1, outputs);
  if (!result) result = ANeuralNetworksModel_identifyInputsAndOutputs(model, 2, inputs, 1, outputs);
  if (!result) result = ANeuralNetworksModel_finish(model);
  if (!result) result = ANeuralNetworksCompilation_create(model, &compilation);
  if (!result) result = ANeuralNetworksCompilation_finish(compilation);
  if (!result) result = ANeuralNetworksExecution_create(compilation, &execution);
  if (!result) result = ANeuralNetworksExecution_setInput(execution, 0, NULL, &a, sizeof a);
  if (!result) result = ANeuralNetworksExecution_setInput(execution, 1, NULL, &b, sizeof b);
  if (!result) result = ANeuralNetworksExecution_setOutput(execution, 0, NULL, sum, sizeof *sum);
  if (!result) result = ANeuralNetworksExecution_compute(execution);
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksCompilation_free(compilation);
  ANeuralNetworksModel_free(model);
  return result;
}
