// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomic instructions in inline assembly. `ravel assemble` puts a call before and after each (src/cli/assembly.h); the
// instruction itself stays. asm_calls.S keeps all registers, flags and vectors, and calls these. Nothing else runs in
// between, so what the instruction did is read off the memory.
#include "runtime/callouts/call_out.h"
#include "runtime/state/spin_watch.h"

namespace ravel::rt {

namespace {

// Kind and size as the rewritten assembly passes them: kind * 256 + bytes.
enum class AsmKind : std::uint8_t { kUpdate, kLoad, kStore, kFence };

struct Instruction {
  bool begun = false;
  AsmKind kind = AsmKind::kFence;
  AtomicOp op = {};
  std::uint64_t before = 0;
};
Instruction current;

OpKind kind_of(AsmKind kind) {
  if (kind == AsmKind::kLoad) return OpKind::kAtomicLoad;
  return kind == AsmKind::kStore ? OpKind::kAtomicStore : OpKind::kAtomicRmw;
}

// x86: every load acquires, every store releases, what is locked does both and is a full barrier.
int order_of(AsmKind kind) {
  if (kind == AsmKind::kLoad) return __ATOMIC_ACQUIRE;
  return kind == AsmKind::kStore ? __ATOMIC_RELEASE : __ATOMIC_SEQ_CST;
}

// Of 16 bytes both halves count, though an event shows one.
std::uint64_t contents(const AtomicOp& op) {
  constexpr std::uint16_t kPair = 16;
  if (op.size != kPair) return peek(op.address, op.size);
  return peek(op.address, kPair / 2) ^ (peek(op.address + kPair / 2, kPair / 2) << 1);
}

}  // namespace

extern "C" {

// Called by asm_calls.S.
RAVEL_HIDDEN void ravel_asm_before(std::uintptr_t address, std::uint64_t what, std::uintptr_t pc) {
  const auto kind = static_cast<AsmKind>(what >> 8);
  if (kind == AsmKind::kFence) return fence(__ATOMIC_SEQ_CST, pc);
  const AtomicOp op = {kind_of(kind), static_cast<std::uint8_t>(order_of(kind)),
                       static_cast<std::uint16_t>(what & 0xff), address, pc};
  atomic_begin(op);  // others may run, and come here
  current = {true, kind, op, contents(op)};
}

RAVEL_HIDDEN void ravel_asm_after() {
  if (!current.begun) return;
  current.begun = false;
  const std::uint64_t after = contents(current.op);
  const bool store = current.kind == AsmKind::kStore;
  const bool load = current.kind == AsmKind::kLoad;
  atomic_end(current.op, store ? after : current.before,
             store  ? current.before
             : load ? 0
                    : after,
             false, store || after != current.before);
}

}  // extern "C"

}  // namespace ravel::rt
