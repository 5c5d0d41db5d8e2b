// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Each operation, watched and not, at each width: result, memory, and what core is told.
#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>

#include "support/access_fake_core.h"

using Word128 = unsigned __int128;

#define FOR_EACH_WORD(X) \
  X(8, std::uint8_t) X(16, std::uint16_t) X(32, std::uint32_t) X(64, std::uint64_t) X(128, Word128)

#define DECLARE(bits, Word)                                                                            \
  extern "C" Word __tsan_atomic##bits##_load(const volatile Word*, int);                               \
  extern "C" void __tsan_atomic##bits##_store(volatile Word*, Word, int);                              \
  extern "C" Word __tsan_atomic##bits##_exchange(volatile Word*, Word, int);                           \
  extern "C" Word __tsan_atomic##bits##_fetch_add(volatile Word*, Word, int);                          \
  extern "C" Word __tsan_atomic##bits##_fetch_sub(volatile Word*, Word, int);                          \
  extern "C" Word __tsan_atomic##bits##_fetch_and(volatile Word*, Word, int);                          \
  extern "C" Word __tsan_atomic##bits##_fetch_or(volatile Word*, Word, int);                           \
  extern "C" Word __tsan_atomic##bits##_fetch_xor(volatile Word*, Word, int);                          \
  extern "C" Word __tsan_atomic##bits##_fetch_nand(volatile Word*, Word, int);                         \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(volatile Word*, Word*, Word, int, int); \
  extern "C" int __tsan_atomic##bits##_compare_exchange_weak(volatile Word*, Word*, Word, int, int);   \
  extern "C" Word __tsan_atomic##bits##_compare_exchange_val(volatile Word*, Word, Word, int, int);
FOR_EACH_WORD(DECLARE)
extern "C" void __tsan_atomic_thread_fence(int);
extern "C" void __tsan_atomic_signal_fence(int);

// Names of libatomic are builtins: reached by the symbol.
extern "C" void generic_load(std::size_t, const void*, void*, int) asm("__atomic_load");
extern "C" void generic_store(std::size_t, void*, const void*, int) asm("__atomic_store");
extern "C" void generic_exchange(std::size_t, void*, const void*, void*, int) asm("__atomic_exchange");
extern "C" bool generic_cas(std::size_t, void*, void*, const void*, int, int) asm("__atomic_compare_exchange");
extern "C" Word128 sized_fetch_add(Word128*, Word128, int) asm("__atomic_fetch_add_16");

namespace ravel::rt {
namespace {

template <typename Word>
struct Calls;
#define CALLS(bits, W)                                                            \
  template <>                                                                     \
  struct Calls<W> {                                                               \
    static constexpr auto load = __tsan_atomic##bits##_load;                      \
    static constexpr auto store = __tsan_atomic##bits##_store;                    \
    static constexpr auto exchange = __tsan_atomic##bits##_exchange;              \
    static constexpr auto add = __tsan_atomic##bits##_fetch_add;                  \
    static constexpr auto sub = __tsan_atomic##bits##_fetch_sub;                  \
    static constexpr auto bit_and = __tsan_atomic##bits##_fetch_and;              \
    static constexpr auto bit_or = __tsan_atomic##bits##_fetch_or;                \
    static constexpr auto bit_xor = __tsan_atomic##bits##_fetch_xor;              \
    static constexpr auto nand = __tsan_atomic##bits##_fetch_nand;                \
    static constexpr auto strong = __tsan_atomic##bits##_compare_exchange_strong; \
    static constexpr auto weak = __tsan_atomic##bits##_compare_exchange_weak;     \
    static constexpr auto val = __tsan_atomic##bits##_compare_exchange_val;       \
  };
FOR_EACH_WORD(CALLS)

template <typename Word>
class AtomicTest : public ::testing::Test {
 protected:
  void SetUp() override { g_core = {}; }
  void TearDown() override { g_watch = false; }

  // The last event; its begin must have told the same place.
  static Atomic last() {
    EXPECT_EQ(g_core.begun.size(), g_core.ended.size());
    EXPECT_EQ(g_core.begun.back().address, g_core.ended.back().op.address);
    return g_core.ended.back();
  }
  static void expect_told(const Word* p, OpKind kind, int order, Word value, bool failed, bool changed) {
    if (!g_watch) {
      EXPECT_TRUE(g_core.begun.empty() && g_core.ended.empty());
      return;
    }
    const Atomic event = last();
    EXPECT_EQ(event.op.kind, kind);
    EXPECT_EQ(event.op.order, order);
    EXPECT_EQ(event.op.size, sizeof(Word));
    EXPECT_EQ(event.op.address, reinterpret_cast<std::uintptr_t>(p));
    EXPECT_NE(event.op.pc, 0u);
    EXPECT_EQ(event.value, static_cast<std::uint64_t>(value));
    EXPECT_EQ(event.failed, failed);
    EXPECT_EQ(event.changed, changed);
  }
};

using Words = ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Word128>;
TYPED_TEST_SUITE(AtomicTest, Words);

// A value that uses the upper half of the word too.
template <typename Word>
Word wide(unsigned n) {
  return static_cast<Word>((static_cast<Word>(n) << (sizeof(Word) * 8 - 4)) | n);
}

TYPED_TEST(AtomicTest, LoadStoreExchange) {
  using Word = TypeParam;
  using C = Calls<Word>;
  for (const bool watch : {false, true}) {
    g_watch = watch;
    alignas(16) Word place = wide<Word>(5);
    EXPECT_TRUE(C::load(&place, __ATOMIC_ACQUIRE) == wide<Word>(5));
    this->expect_told(&place, OpKind::kAtomicLoad, __ATOMIC_ACQUIRE, wide<Word>(5), false, false);
    C::store(&place, wide<Word>(7), __ATOMIC_RELEASE);
    EXPECT_TRUE(place == wide<Word>(7));
    this->expect_told(&place, OpKind::kAtomicStore, __ATOMIC_RELEASE, wide<Word>(7), false, true);
    C::store(&place, wide<Word>(7), __ATOMIC_SEQ_CST);
    this->expect_told(&place, OpKind::kAtomicStore, __ATOMIC_SEQ_CST, wide<Word>(7), false, false);
    EXPECT_TRUE(C::exchange(&place, wide<Word>(3), __ATOMIC_ACQ_REL) == wide<Word>(7));
    EXPECT_TRUE(place == wide<Word>(3));
    this->expect_told(&place, OpKind::kAtomicRmw, __ATOMIC_ACQ_REL, wide<Word>(7), false, true);
  }
}

TYPED_TEST(AtomicTest, ReadModifyWrite) {
  using Word = TypeParam;
  using C = Calls<Word>;
  const Word a = wide<Word>(12);
  const Word b = wide<Word>(10);
  const auto check = [&](auto call, Word expected) {
    alignas(16) Word place = a;
    EXPECT_TRUE(call(&place, b, __ATOMIC_RELAXED) == a);
    EXPECT_TRUE(place == expected);
    this->expect_told(&place, OpKind::kAtomicRmw, __ATOMIC_RELAXED, a, false, a != expected);
  };
  for (const bool watch : {false, true}) {
    g_watch = watch;
    check(C::add, static_cast<Word>(a + b));
    check(C::sub, static_cast<Word>(a - b));
    check(C::bit_and, static_cast<Word>(a & b));
    check(C::bit_or, static_cast<Word>(a | b));
    check(C::bit_xor, static_cast<Word>(a ^ b));
    check(C::nand, static_cast<Word>(~(a & b)));
  }
}

TYPED_TEST(AtomicTest, CompareExchange) {
  using Word = TypeParam;
  using C = Calls<Word>;
  const Word one = wide<Word>(1);
  const Word two = wide<Word>(2);
  const Word three = wide<Word>(3);
  for (const bool watch : {false, true}) {
    g_watch = watch;
    for (const auto call : {C::strong, C::weak}) {
      alignas(16) Word place = one;
      Word expected = one;
      EXPECT_EQ(call(&place, &expected, two, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED), 1);
      EXPECT_TRUE(place == two && expected == one);
      this->expect_told(&place, OpKind::kAtomicCas, __ATOMIC_ACQ_REL, one, false, true);
      EXPECT_EQ(call(&place, &expected, three, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED), 0);
      EXPECT_TRUE(place == two && expected == two);
      this->expect_told(&place, OpKind::kAtomicCas, __ATOMIC_RELAXED, two, true, false);
    }
    alignas(16) Word place = one;
    EXPECT_TRUE(C::val(&place, one, two, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE) == one);
    EXPECT_TRUE(place == two);
    EXPECT_TRUE(C::val(&place, one, three, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE) == two);
    EXPECT_TRUE(place == two);
    this->expect_told(&place, OpKind::kAtomicCas, __ATOMIC_ACQUIRE, two, true, false);
  }
}

TYPED_TEST(AtomicTest, OnlyWeakFormsFailOnRequest) {
  using Word = TypeParam;
  using C = Calls<Word>;
  g_watch = true;
  g_core.weak_fails = true;
  alignas(16) Word place = 1;
  Word expected = 1;
  EXPECT_EQ(C::weak(&place, &expected, 2, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST), 0);
  EXPECT_TRUE(place == 1 && expected == 1);
  EXPECT_TRUE(this->last().failed);
  EXPECT_EQ(C::strong(&place, &expected, 2, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST), 1);
  EXPECT_TRUE(C::val(&place, 2, 3, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) == 2);
  EXPECT_TRUE(place == 3);
}

// The scheduling point comes first: what another thread does there is what the operation sees.
TYPED_TEST(AtomicTest, OtherThreadsRunBeforeTheOperation) {
  using Word = TypeParam;
  using C = Calls<Word>;
  g_watch = true;
  alignas(16) Word place = 1;
  g_core.other_thread = [&] { place = 9; };
  EXPECT_TRUE(C::load(&place, __ATOMIC_SEQ_CST) == 9);
  place = 1;
  EXPECT_TRUE(C::add(&place, 1, __ATOMIC_SEQ_CST) == 9);
  EXPECT_TRUE(place == 10);
  place = 1;
  Word expected = 1;
  EXPECT_EQ(C::strong(&place, &expected, 2, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST), 0);
  EXPECT_TRUE(expected == 9);
  // Even when that was the last other thread, the event is recorded.
  g_core.other_thread = [] { g_watch = false; };
  C::store(&place, 4, __ATOMIC_SEQ_CST);
  EXPECT_EQ(g_core.ended.size(), g_core.begun.size());
}

class GenericTest : public AtomicTest<std::uint64_t> {};

TEST_F(GenericTest, Fences) {
  __tsan_atomic_thread_fence(__ATOMIC_SEQ_CST);
  EXPECT_TRUE(g_core.fences.empty());
  g_watch = true;
  __tsan_atomic_thread_fence(__ATOMIC_ACQUIRE);
  __tsan_atomic_signal_fence(__ATOMIC_SEQ_CST);
  EXPECT_EQ(g_core.fences, std::vector<int>{__ATOMIC_ACQUIRE});
}

TEST_F(GenericTest, HintsAboveTheOrderAreDropped) {
  g_watch = true;
  std::uint64_t place = 0;
  __tsan_atomic64_load(&place, __ATOMIC_ACQUIRE | 1 << 16);
  EXPECT_EQ(last().op.order, __ATOMIC_ACQUIRE);
  __tsan_atomic_thread_fence(__ATOMIC_ACQUIRE | 1 << 16);
  EXPECT_EQ(g_core.fences, std::vector<int>{__ATOMIC_ACQUIRE});
}

TEST_F(GenericTest, ExpectedValueMayBeLessAligned) {
  alignas(16) Word128 place = 1;
  alignas(16) unsigned char buffer[32] = {};
  auto* expected = reinterpret_cast<Word128*>(buffer + 8);
  for (const bool watch : {false, true}) {
    g_watch = watch;
    std::memset(buffer, 0, sizeof buffer);
    EXPECT_EQ(__tsan_atomic128_compare_exchange_strong(&place, expected, 2, 5, 5), 0);
    EXPECT_EQ(buffer[8], 1);
    EXPECT_FALSE(generic_cas(16, &place, std::memset(buffer + 8, 0, 16), buffer, 5, 5));
    EXPECT_EQ(buffer[8], 1);
  }
}

struct Odd {
  char bytes[24];
  bool operator==(const Odd& other) const { return std::memcmp(bytes, other.bytes, sizeof bytes) == 0; }
};

template <typename T>
void check_generic(T a, T b, T c) {
  alignas(16) T place = a;
  T out = c;
  generic_load(sizeof(T), &place, &out, 5);
  EXPECT_TRUE(out == a);
  generic_store(sizeof(T), &place, &b, 5);
  EXPECT_TRUE(place == b);
  generic_exchange(sizeof(T), &place, &c, &out, 5);
  EXPECT_TRUE(place == c && out == b);
  T expected = a;
  EXPECT_FALSE(generic_cas(sizeof(T), &place, &expected, &a, 5, 2));
  EXPECT_TRUE(expected == c && place == c);
  EXPECT_TRUE(generic_cas(sizeof(T), &place, &expected, &a, 5, 2));
  EXPECT_TRUE(place == a);
}

TEST_F(GenericTest, LibatomicOfAnySize) {
  for (const bool watch : {false, true}) {
    g_watch = watch;
    check_generic<std::uint8_t>(1, 2, 3);
    check_generic<std::uint16_t>(1, 2, 3);
    check_generic<std::uint32_t>(1, 2, 3);
    check_generic<std::uint64_t>(1, 2, 3);
    check_generic<Word128>(1, 2, 3);
    check_generic<Odd>({"one"}, {"two"}, {"three"});
  }
  EXPECT_EQ(g_core.begun.size(), 6u * 5u);
  EXPECT_EQ(g_core.ended.size(), 6u * 5u);
  EXPECT_EQ(last().op.size, sizeof(Odd));
  EXPECT_EQ(last().op.kind, OpKind::kAtomicCas);
  EXPECT_FALSE(last().failed);
  EXPECT_TRUE(last().changed);
  const Atomic exchange = g_core.ended[g_core.ended.size() - 3];
  EXPECT_EQ(exchange.op.kind, OpKind::kAtomicRmw);
  EXPECT_TRUE(exchange.changed);
  const Atomic failed = g_core.ended[g_core.ended.size() - 2];
  EXPECT_TRUE(failed.failed);
  EXPECT_EQ(failed.op.order, 2);
}

// cmpxchg16b would fault.
TEST_F(GenericTest, MisalignedWordsAreHandled) {
  alignas(16) unsigned char buffer[32] = {};
  const Word128 value = 0x01020304;
  Word128 out = 0;
  generic_store(sizeof value, buffer + 1, &value, 5);
  generic_load(sizeof value, buffer + 1, &out, 5);
  EXPECT_TRUE(out == value);
}

TEST_F(GenericTest, SizedForms) {
  alignas(16) Word128 place = 40;
  g_watch = true;
  EXPECT_TRUE(sized_fetch_add(&place, 2, 5) == 40);
  EXPECT_TRUE(place == 42);
  EXPECT_EQ(last().op.size, 16);
}

}  // namespace
}  // namespace ravel::rt
