// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SpinWatch on hand-made sequences of reads: what is skipped, what ends a spin, and which loops have counted.
#include "runtime/state/spin_watch.h"

#include <gtest/gtest.h>

namespace ravel::rt {
namespace {

constexpr LocationId kHead = 7;
constexpr LocationId kBody = 8;

struct Word {
  std::uint32_t value = 1;
  [[nodiscard]] std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(&value); }
};

SpinVerdict read(SpinWatch& watch, const Word& word, LocationId location = kBody) {
  return watch.before_read(word.address(), sizeof word.value, word.value, location);
}

TEST(SpinWatch, SkipsFromTheFourthEqualReadOnAndThenWaits) {
  SpinWatch watch;
  Word word;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read(watch, word), SpinVerdict::kFresh);
  for (std::uint32_t i = 0; i < kStutterReads; ++i) EXPECT_EQ(read(watch, word), SpinVerdict::kStutter);
  EXPECT_EQ(read(watch, word), SpinVerdict::kWait);
  EXPECT_FALSE(watch.value_changed());
  word.value = 2;
  EXPECT_TRUE(watch.value_changed());
  EXPECT_EQ(read(watch, word), SpinVerdict::kAwaited);
  EXPECT_FALSE(watch.stuttering());
}

// Others ran at the point of the first read: it found another value than the one that stood there before.
TEST(SpinWatch, GoesByWhatTheReadFound) {
  SpinWatch watch;
  Word word;
  EXPECT_EQ(read(watch, word, kHead), SpinVerdict::kFresh);
  word.value = 2;
  watch.after_read(word.address(), sizeof word.value, word.value, kHead);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read(watch, word), SpinVerdict::kFresh);
  EXPECT_EQ(read(watch, word), SpinVerdict::kStutter);
  EXPECT_FALSE(watch.value_changed()) << "nothing has changed since the loop began";
}

// `expected &= ~kLocked' between two attempts at a compare-exchange: the loop's own variable is no news.
TEST(SpinWatch, WhatTheLoopWritesItselfDoesNotEndTheWait) {
  SpinWatch watch;
  Word word;
  Word own;
  SpinVerdict verdict = SpinVerdict::kFresh;
  for (std::uint32_t i = 0; i < kStutterReads && verdict != SpinVerdict::kWait; ++i) {
    own.value = 5;
    (void)read(watch, own, kHead);
    own.value = 4;
    verdict = read(watch, word);
  }
  EXPECT_EQ(verdict, SpinVerdict::kWait);
  watch.begin_wait(own.address(), sizeof own.value);
  EXPECT_FALSE(watch.value_changed());
  own.value = 6;
  EXPECT_TRUE(watch.value_changed()) << "another thread wrote there";
  own.value = 4;
  word.value = 2;
  watch.begin_wait(own.address(), sizeof own.value);
  EXPECT_TRUE(watch.value_changed()) << "others changed it before the wait began";
}

TEST(SpinWatch, AnAttemptThatWillSucceedEndsTheSpinItBelongsTo) {
  SpinWatch watch;
  Word word;
  for (int i = 0; i < 5; ++i) (void)read(watch, word);
  watch.see_free(word.address(), kHead);
  EXPECT_TRUE(watch.active()) << "another place";
  watch.see_free(word.address(), kBody);
  EXPECT_FALSE(watch.active());
}

}  // namespace
}  // namespace ravel::rt
