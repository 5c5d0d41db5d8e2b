// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Names of the compilers' call-outs by width, for controlled and free-running mode alike. Who includes this defines
// what one of each kind does: PLAIN_CALL_OUT(name, bytes, writes), PLAIN_CALL_OUT_PC, VOLATILE_CALL_OUT;
// RMW_CALL_OUT(bits, Word, name, how).
#pragma once

#define FOR_EACH_WIDTH(X) X(1) X(2) X(4) X(8) X(16)

// A compound access (clang: x += y) is reported once, before both halves: a read event here could be separated from the
// read by a switch, so it counts as the write alone, which conflicts with all that the read would.
#define PLAIN_FAMILY(width)                                              \
  PLAIN_CALL_OUT(__tsan_read##width, width, false)                       \
  PLAIN_CALL_OUT(__tsan_write##width, width, true)                       \
  PLAIN_CALL_OUT(__tsan_read_write##width, width, true)                  \
  PLAIN_CALL_OUT(__tsan_unaligned_read##width, width, false)             \
  PLAIN_CALL_OUT(__tsan_unaligned_write##width, width, true)             \
  PLAIN_CALL_OUT(__tsan_unaligned_read_write##width, width, true)        \
  VOLATILE_CALL_OUT(__tsan_volatile_read##width, width, false)           \
  VOLATILE_CALL_OUT(__tsan_volatile_write##width, width, true)           \
  VOLATILE_CALL_OUT(__tsan_unaligned_volatile_read##width, width, false) \
  VOLATILE_CALL_OUT(__tsan_unaligned_volatile_write##width, width, true) \
  PLAIN_CALL_OUT_PC(__tsan_read##width##_pc, width, false)               \
  PLAIN_CALL_OUT_PC(__tsan_write##width##_pc, width, true)

#define FOR_EACH_WORD(X) \
  X(8, std::uint8_t)     \
  X(16, std::uint16_t)   \
  X(32, std::uint32_t)   \
  X(64, std::uint64_t)   \
  X(128, ravel::rt::Word128)

#define RMW_FAMILY(bits, Word)                       \
  RMW_CALL_OUT(bits, Word, exchange, Rmw::kExchange) \
  RMW_CALL_OUT(bits, Word, fetch_add, Rmw::kAdd)     \
  RMW_CALL_OUT(bits, Word, fetch_sub, Rmw::kSub)     \
  RMW_CALL_OUT(bits, Word, fetch_and, Rmw::kAnd)     \
  RMW_CALL_OUT(bits, Word, fetch_or, Rmw::kOr)       \
  RMW_CALL_OUT(bits, Word, fetch_xor, Rmw::kXor)     \
  RMW_CALL_OUT(bits, Word, fetch_nand, Rmw::kNand)
