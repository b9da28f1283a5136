// SPDX-License-Identifier: Apache-2.0
// IF and WHILE: what finish and addOperation refuse, results, changing shapes, timeouts, nesting.
#include "api_fixture.hpp"

namespace avocet::test {
namespace {

const Type kBool(ANEURALNETWORKS_TENSOR_BOOL8, {1});

/// out = in + `addend`.
void build_plus(Model& m, float addend, const Dims& dims = {1}) {
  const uint32_t in = m.operand(float_tensor(dims)), c = m.constant(float_tensor({1}), std::vector<float>{addend});
  const uint32_t none = m.constant(0), out = m.operand(float_tensor(dims));
  EXPECT_EQ(m.operation(ANEURALNETWORKS_ADD, {in, c, none}, {out}), ANEURALNETWORKS_NO_ERROR);
  m.done({in}, {out});
}

/// out = in < `limit`.
void build_less(Model& m, float limit) {
  const uint32_t in = m.operand(float_tensor({1})), c = m.constant(float_tensor({1}), std::vector<float>{limit});
  const uint32_t out = m.operand(kBool);
  EXPECT_EQ(m.operation(ANEURALNETWORKS_LESS, {in, c}, {out}), ANEURALNETWORKS_NO_ERROR);
  m.done({in}, {out});
}

TEST(If, ChoosesABranch) {
  Model plus1, plus10, model;
  build_plus(plus1, 1);
  build_plus(plus10, 10);
  const uint32_t condition = model.operand(kBool), in = model.operand(float_tensor({1})),
                 out = model.operand(float_tensor({1}));
  const uint32_t then = model.reference(plus1), otherwise = model.reference(plus10);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_IF, {condition, then, otherwise, in}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({condition, in}, {out});
  const CompilationPtr compilation = compile(model);
  for (uint8_t c : {0, 1, 255}) {
    const ExecutionPtr e = create_execution(compilation);
    const std::vector<uint8_t> choice{c};
    const std::vector<float> x{5};
    std::vector<float> y(1);
    set_input(e, 0, choice);
    set_input(e, 1, x);
    set_output(e, 0, y);
    ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(y[0], c ? 6.0f : 15.0f);
  }
}

TEST(If, Errors) {
  Model plus1, wide;
  build_plus(plus1, 1);
  build_plus(wide, 1, {2});
  const auto add_if = [](Model& m, const Type& condition, ANeuralNetworksModel* then, ANeuralNetworksModel* otherwise,
                         const Type& value) {
    const uint32_t c = m.operand(condition), in = m.operand(value), out = m.operand(value);
    const uint32_t t = m.reference(then), o = m.reference(otherwise);
    return m.operation(ANEURALNETWORKS_IF, {c, t, o, in}, {out});
  };
  const Type one = float_tensor({1});
  {
    Model m;
    EXPECT_EQ(add_if(m, kBool, plus1, plus1, one), ANEURALNETWORKS_NO_ERROR);
  }
  {
    Model m;
    EXPECT_EQ(add_if(m, Type(ANEURALNETWORKS_TENSOR_BOOL8, {0}), plus1, plus1, one), ANEURALNETWORKS_BAD_DATA)
        << "unknown condition";
  }
  {
    Model m;
    EXPECT_EQ(add_if(m, Type(ANEURALNETWORKS_TENSOR_BOOL8, {2}), plus1, plus1, one), ANEURALNETWORKS_BAD_DATA)
        << "two conditions";
  }
  {
    Model m;
    EXPECT_EQ(add_if(m, one, plus1, plus1, one), ANEURALNETWORKS_BAD_DATA) << "not a BOOL8";
  }
  {
    Model m;
    EXPECT_EQ(add_if(m, kBool, plus1, wide, one), ANEURALNETWORKS_BAD_DATA) << "dimensions";
  }
  {
    Model m;
    EXPECT_EQ(add_if(m, kBool, plus1, plus1, Type(ANEURALNETWORKS_TENSOR_INT32, {1})), ANEURALNETWORKS_BAD_DATA)
        << "type";
  }
  {
    Model m;  // the number of inputs
    const uint32_t c = m.operand(kBool), in = m.operand(one), out = m.operand(one), t = m.reference(plus1);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_IF, {c, t, t, in, in}, {out}), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_IF, {c, t, t}, {out}), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_IF, {c, t, t, in}, {out, out}), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_IF, {c, in, t, in}, {out}), ANEURALNETWORKS_BAD_DATA) << "not a model";
  }
  {
    Model m;  // a model that is never set
    const uint32_t c = m.operand(kBool), in = m.operand(one), out = m.operand(one),
                   t = m.operand(Type(ANEURALNETWORKS_MODEL));
    m.operation(ANEURALNETWORKS_IF, {c, t, t, in}, {out});
    m.identify({c, in}, {out});
    EXPECT_EQ(m.finish(), ANEURALNETWORKS_BAD_DATA);
  }
}

struct Loop {
  Loop(float limit, float step) {
    build_less(condition, limit);
    build_plus(body, step);
    const uint32_t in = model.operand(float_tensor({1})), out = model.operand(float_tensor({1}));
    const uint32_t c = model.reference(condition), b = model.reference(body);
    EXPECT_EQ(model.operation(ANEURALNETWORKS_WHILE, {c, b, in}, {out}), ANEURALNETWORKS_NO_ERROR);
    model.done({in}, {out});
    compilation = compile(model);
  }
  int run(float x, float* result, uint64_t loop_timeout = 0) {
    const ExecutionPtr e = create_execution(compilation);
    if (loop_timeout) {
      EXPECT_EQ(ANeuralNetworksExecution_setLoopTimeout(e.get(), loop_timeout), ANEURALNETWORKS_NO_ERROR);
    }
    const std::vector<float> in{x};
    std::vector<float> out{-1};
    set_input(e, 0, in);
    set_output(e, 0, out);
    const int code = ANeuralNetworksExecution_compute(e.get());
    *result = out[0];
    return code;
  }
  Model condition, body, model;
  CompilationPtr compilation;
};

TEST(While, Counts) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_LESS);
  Loop loop(10, 3);
  float y = 0;
  EXPECT_EQ(loop.run(0, &y), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y, 12.0f);
  EXPECT_EQ(loop.run(42, &y), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y, 42.0f) << "no iteration: the initial value";
}

TEST(While, EndlessLoopsEnd) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_LESS);
  Loop loop(10, 0);
  float y = 0;
  const int result = loop.run(0, &y, 20'000'000);
  EXPECT_TRUE(result == ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT ||
              result == ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT);
  EXPECT_EQ(loop.run(42, &y, 1), ANEURALNETWORKS_NO_ERROR) << "a loop that ends at once is in time";
}

TEST(While, TheDeadlineOfTheExecutionHoldsInside) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_LESS);
  Loop loop(10, 0);
  const CompilationPtr compilation = compile_for(loop.model, {cpu()});
  const ExecutionPtr e = create_execution(compilation);
  ASSERT_EQ(ANeuralNetworksExecution_setTimeout(e.get(), 20'000'000), ANEURALNETWORKS_NO_ERROR);
  const std::vector<float> in{0};
  std::vector<float> out(1);
  set_input(e, 0, in);
  set_output(e, 0, out);
  EXPECT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT);
}

/// m = 1 result, k = 1 state, n = 1 constant: result and state change places every time.
TEST(While, ResultsStateAndInputs) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_LESS);
  const Type one = float_tensor({1});
  Model condition, body, model;
  {
    Model& m = condition;
    const uint32_t r = m.operand(one), s = m.operand(one), limit = m.operand(one), out = m.operand(kBool);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_LESS, {r, limit}, {out}), ANEURALNETWORKS_NO_ERROR);
    m.done({r, s, limit}, {out});
  }
  {
    Model& m = body;  // Fibonacci: (r, s) -> (r + s, r)
    const uint32_t r = m.operand(one), s = m.operand(one), limit = m.operand(one), none = m.constant(0);
    const uint32_t zero = m.constant(one, std::vector<float>{0});
    const uint32_t sum = m.operand(one), old = m.operand(one);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_ADD, {r, s, none}, {sum}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_ADD, {r, zero, none}, {old}), ANEURALNETWORKS_NO_ERROR);
    m.done({r, s, limit}, {sum, old});
  }
  const uint32_t r = model.operand(one), s = model.operand(one), limit = model.operand(one), out = model.operand(one);
  const uint32_t c = model.reference(condition), b = model.reference(body);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_WHILE, {c, b, r, s, limit}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({r, s, limit}, {out});
  const CompilationPtr compilation = compile(model);
  const ExecutionPtr e = create_execution(compilation);
  const std::vector<float> first{1}, zero{0}, hundred{100};
  std::vector<float> y(1);
  set_input(e, 0, first);
  set_input(e, 1, zero);
  set_input(e, 2, hundred);
  set_output(e, 0, y);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y[0], 144.0f);
}

/// A tensor that doubles in length until its counter has run down.
TEST(While, ShapesMayChange) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_LESS);
  const Type any = float_tensor({0}), one = float_tensor({1});
  Model condition, body, model;
  {
    Model& m = condition;
    const uint32_t x = m.operand(any), n = m.operand(one), c = m.constant(one, std::vector<float>{3}),
                   out = m.operand(kBool);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_LESS, {n, c}, {out}), ANEURALNETWORKS_NO_ERROR);
    m.done({x, n}, {out});
  }
  {
    Model& m = body;
    const uint32_t x = m.operand(any), n = m.operand(one), c = m.constant(one, std::vector<float>{1});
    const uint32_t none = m.constant(0), twice = m.operand(any), next = m.operand(one);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_CONCATENATION, {x, x, none}, {twice}), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(m.operation(ANEURALNETWORKS_ADD, {n, c, none}, {next}), ANEURALNETWORKS_NO_ERROR);
    m.done({x, n}, {twice, next});
  }
  const uint32_t x = model.operand(any), n = model.operand(one), out = model.operand(any);
  const uint32_t c = model.reference(condition), b = model.reference(body);
  ASSERT_EQ(model.operation(ANEURALNETWORKS_WHILE, {c, b, x, n}, {out}), ANEURALNETWORKS_NO_ERROR);
  model.done({x, n}, {out});
  const CompilationPtr compilation = compile(model);
  const Type two = float_tensor({2});
  const std::vector<float> values{1, 2}, zero{0};
  for (size_t room : {16u, 15u}) {
    const ExecutionPtr e = create_execution(compilation);
    std::vector<float> y(room);
    set_input(e, 0, values, &two);
    set_input(e, 1, zero);
    set_output(e, 0, y);
    const int expected = room < 16 ? ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE : ANEURALNETWORKS_NO_ERROR;
    ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), expected);
    EXPECT_EQ(output_dims(e, 0, expected), (Dims{16}));
    if (room < 16) continue;
    for (size_t i = 0; i < room; ++i) EXPECT_EQ(y[i], values[i % 2]);
  }
}

TEST(While, Errors) {
  AVOCET_SKIP_WITHOUT(ANEURALNETWORKS_LESS);
  Model condition, body, wide;
  build_less(condition, 1);
  build_plus(body, 1);
  build_plus(wide, 1, {2});
  const Type one = float_tensor({1});
  const auto add_while = [&](ANeuralNetworksModel* c, ANeuralNetworksModel* b, const Type& value) {
    Model m;
    const uint32_t in = m.operand(value), out = m.operand(value);
    const uint32_t cond = m.reference(c), bod = m.reference(b);
    return m.operation(ANEURALNETWORKS_WHILE, {cond, bod, in}, {out});
  };
  EXPECT_EQ(add_while(condition, body, one), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(add_while(body, body, one), ANEURALNETWORKS_BAD_DATA) << "the condition is no condition";
  EXPECT_EQ(add_while(condition, condition, one), ANEURALNETWORKS_BAD_DATA) << "the body's output";
  EXPECT_EQ(add_while(condition, wide, one), ANEURALNETWORKS_BAD_DATA) << "the body's dimensions";
  EXPECT_EQ(add_while(condition, body, Type(ANEURALNETWORKS_TENSOR_INT32, {1})), ANEURALNETWORKS_BAD_DATA) << "type";
  Model m;
  const uint32_t in = m.operand(one), out = m.operand(one), c = m.reference(condition), b = m.reference(body);
  EXPECT_EQ(m.operation(ANEURALNETWORKS_WHILE, {c, b}, {out}), ANEURALNETWORKS_BAD_DATA) << "no value";
  EXPECT_EQ(m.operation(ANEURALNETWORKS_WHILE, {c, b, in, in}, {out}), ANEURALNETWORKS_BAD_DATA)
      << "more values than the models take";
  EXPECT_EQ(m.operation(ANEURALNETWORKS_WHILE, {c, b, in}, {out, out}), ANEURALNETWORKS_BAD_DATA);
}

/// IF in WHILE in IF ..., each level adding one; and models beyond all measure are refused, not a stack overflow.
TEST(ControlFlow, Nests) {
  std::vector<std::unique_ptr<Model>> models;
  models.push_back(std::make_unique<Model>());
  build_plus(*models.back(), 1);
  int result = ANEURALNETWORKS_NO_ERROR;
  size_t depth = 1;
  while (result == ANEURALNETWORKS_NO_ERROR && depth < 2000) {
    auto m = std::make_unique<Model>();
    const uint32_t yes = m->constant(kBool, std::vector<uint8_t>{1});
    const uint32_t in = m->operand(float_tensor({1})), middle = m->operand(float_tensor({1})),
                   out = m->operand(float_tensor({1}));
    const uint32_t inner = m->reference(*models.back()), none = m->constant(0);
    const uint32_t one = m->constant(float_tensor({1}), std::vector<float>{1});
    ASSERT_EQ(m->operation(ANEURALNETWORKS_IF, {yes, inner, inner, in}, {middle}), ANEURALNETWORKS_NO_ERROR);
    ASSERT_EQ(m->operation(ANEURALNETWORKS_ADD, {middle, one, none}, {out}), ANEURALNETWORKS_NO_ERROR);
    ASSERT_EQ(m->identify({in}, {out}), ANEURALNETWORKS_NO_ERROR);
    result = m->finish();
    if (result == ANEURALNETWORKS_NO_ERROR) {
      models.push_back(std::move(m));
      ++depth;
    }
  }
  EXPECT_EQ(result, ANEURALNETWORKS_BAD_DATA);
  EXPECT_GE(depth, 16u);
  const CompilationPtr compilation = compile(*models.back());
  const ExecutionPtr e = create_execution(compilation);
  const std::vector<float> x{0};
  std::vector<float> y(1);
  set_input(e, 0, x);
  set_output(e, 0, y);
  ASSERT_EQ(ANeuralNetworksExecution_compute(e.get()), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(y[0], static_cast<float>(depth));
  while (!models.empty()) models.pop_back();  // referring models first
}

}  // namespace
}  // namespace avocet::test
