// SPDX-License-Identifier: Apache-2.0
// The fast loop: one line for each instruction that stays within the hart's memory. Everything else goes to execute_rare and ends
// the loop, as it may change what the outer loop looks at.
#include <cstring>

#include "riscv_csr.hpp"
#include "riscv_hart.hpp"

namespace avocet::model {

namespace {

using Op = RiscvOp;

int32_t s(uint32_t value) { return static_cast<int32_t>(value); }
uint32_t u(int32_t value) { return static_cast<uint32_t>(value); }

uint32_t high_product(int64_t a, int64_t b) { return static_cast<uint32_t>(static_cast<uint64_t>(a * b) >> 32); }

uint32_t quotient(uint32_t a, uint32_t b) {
  if (b == 0) return UINT32_MAX;
  return a == 0x80000000 && b == UINT32_MAX ? a : u(s(a) / s(b));
}

uint32_t remainder(uint32_t a, uint32_t b) {
  if (b == 0) return a;
  return a == 0x80000000 && b == UINT32_MAX ? 0 : u(s(a) % s(b));
}

// A value in the memory, if the address is inside and aligned.
template <typename T> struct Place {
  Place(std::vector<uint8_t> &memory, uint32_t base, uint32_t address)
      : bytes(address - base <= memory.size() - sizeof(T) && address % sizeof(T) == 0 ? memory.data() + (address - base)
                                                                                     : nullptr) {}
  explicit operator bool() const { return bytes != nullptr; }
  uint32_t get() const { // sign- or zero-extended, as T is
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<uint32_t>(value);
  }
  void set(uint32_t value) const {
    T cut = static_cast<T>(value);
    std::memcpy(bytes, &cut, sizeof cut);
  }
  uint8_t *bytes;
};

} // namespace

#define X1 x[i->rs1]
#define X2 x[i->rs2]
#define RESULT(value) x[i->rd] = (value); break
#define BRANCH(condition) if (condition) { next = pc + u(i->imm); spent += taken; } break
#define LOAD(type) if (Place<type> place(memory_, base_, X1 + u(i->imm)); place) { RESULT(place.get()); } goto rare
#define STORE(type) if (Place<type> place(memory_, base_, X1 + u(i->imm)); place) { place.set(X2); break; } goto rare

void RiscvHart::execute(uint64_t until) {
  uint32_t *const x = x_.data();
  const uint32_t taken = costs_.taken;
  uint32_t pc = pc_, next;
  uint64_t spent = cycles_, retired = instructions_;
  const RiscvInstruction *i = nullptr;
  while (spent < until) {
    const uint32_t slot = (pc - base_) / 2;
    i = slot < decoded_.size() && decoded_[slot].op != Op::kUndecoded ? &decoded_[slot] : fetch(pc);
    if (i == nullptr) break;
    next = pc + i->bytes;
    switch (i->op) {
    case Op::kLui: RESULT(u(i->imm));
    case Op::kAuipc: RESULT(pc + u(i->imm));
    case Op::kJal: x[i->rd] = next; next = pc + u(i->imm); break;
    case Op::kJalr: { const uint32_t to = (X1 + u(i->imm)) & ~1u; x[i->rd] = next; next = to; break; }
    case Op::kBeq: BRANCH(X1 == X2);
    case Op::kBne: BRANCH(X1 != X2);
    case Op::kBlt: BRANCH(s(X1) < s(X2));
    case Op::kBge: BRANCH(s(X1) >= s(X2));
    case Op::kBltu: BRANCH(X1 < X2);
    case Op::kBgeu: BRANCH(X1 >= X2);
    case Op::kLb: LOAD(int8_t);
    case Op::kLh: LOAD(int16_t);
    case Op::kLw: LOAD(uint32_t);
    case Op::kLbu: LOAD(uint8_t);
    case Op::kLhu: LOAD(uint16_t);
    case Op::kSb: STORE(uint8_t);
    case Op::kSh: STORE(uint16_t);
    case Op::kSw: STORE(uint32_t);
    case Op::kAddi: RESULT(X1 + u(i->imm));
    case Op::kSlti: RESULT(s(X1) < i->imm);
    case Op::kSltiu: RESULT(X1 < u(i->imm));
    case Op::kXori: RESULT(X1 ^ u(i->imm));
    case Op::kOri: RESULT(X1 | u(i->imm));
    case Op::kAndi: RESULT(X1 & u(i->imm));
    case Op::kSlli: RESULT(X1 << i->imm);
    case Op::kSrli: RESULT(X1 >> i->imm);
    case Op::kSrai: RESULT(u(s(X1) >> i->imm));
    case Op::kAdd: RESULT(X1 + X2);
    case Op::kSub: RESULT(X1 - X2);
    case Op::kSll: RESULT(X1 << (X2 & 31));
    case Op::kSlt: RESULT(s(X1) < s(X2));
    case Op::kSltu: RESULT(X1 < X2);
    case Op::kXor: RESULT(X1 ^ X2);
    case Op::kSrl: RESULT(X1 >> (X2 & 31));
    case Op::kSra: RESULT(u(s(X1) >> (X2 & 31)));
    case Op::kOr: RESULT(X1 | X2);
    case Op::kAnd: RESULT(X1 & X2);
    case Op::kMul: RESULT(X1 * X2);
    case Op::kMulh: RESULT(high_product(s(X1), s(X2)));
    case Op::kMulhsu: RESULT(high_product(s(X1), X2));
    case Op::kMulhu: RESULT(static_cast<uint32_t>(uint64_t{X1} * X2 >> 32));
    case Op::kDiv: RESULT(quotient(X1, X2));
    case Op::kDivu: RESULT(X2 == 0 ? UINT32_MAX : X1 / X2);
    case Op::kRem: RESULT(remainder(X1, X2));
    case Op::kRemu: RESULT(X2 == 0 ? X1 : X1 % X2);
    default: goto rare;
    }
    pc = next;
    spent += i->cycles;
    ++retired;
  }
rare:
  const bool again = spent < until; // not the budget: an instruction for the slow path, or none at all
  pc_ = pc;
  cycles_ = spent;
  instructions_ = retired;
  if (!again) return;
  if (i == nullptr)
    raise(kCauseFetch, pc);
  else
    execute_rare(*i);
}

} // namespace avocet::model
