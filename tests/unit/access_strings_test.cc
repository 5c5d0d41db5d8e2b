// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C library's functions on strings: each announces exactly the bytes that decide its result or that it changes, and
// does what the C library does.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/access_fake_core.h"

extern "C" {
std::size_t ravel_strlen(const char*);
std::size_t ravel_strnlen(const char*, std::size_t);
int ravel_memcmp(const void*, const void*, std::size_t);
int ravel_strcmp(const char*, const char*);
int ravel_strncmp(const char*, const char*, std::size_t);
void* ravel_memchr(const void*, int, std::size_t);
char* ravel_strchr(const char*, int);
char* ravel_strrchr(const char*, int);
char* ravel_strstr(const char*, const char*);
char* ravel_strdup(const char*);
char* ravel_strcpy(char*, const char*);
char* ravel_stpcpy(char*, const char*);
char* ravel_strncpy(char*, const char*, std::size_t);
char* ravel_strcat(char*, const char*);
char* ravel_strncat(char*, const char*, std::size_t);
void* ravel___memcpy_chk(void*, const void*, std::size_t, std::size_t);
void* ravel___memset_chk(void*, int, std::size_t, std::size_t);
char* ravel___strcpy_chk(char*, const char*, std::size_t);
char* ravel___strncat_chk(char*, const char*, std::size_t, std::size_t);
}

namespace ravel::rt {
namespace {

class StringTest : public ::testing::Test {
 protected:
  void SetUp() override {
    g_core = {};
    g_watch = true;
    std::strcpy(from_, "abcabc");
    std::strcpy(to_, "xy");
  }
  void TearDown() override { g_watch = false; }

  // What was announced since the last question: "R from+0 7" for seven bytes read at its start.
  std::vector<std::string> announced() {
    g_watch = false;
    std::vector<std::string> result;
    for (const Plain& access : g_core.plain) result.push_back(in_words(access));
    g_core.plain.clear();
    g_watch = true;
    return result;
  }
  std::string in_words(const Plain& access) const {
    const auto first = reinterpret_cast<std::uintptr_t>(from_);
    const auto second = reinterpret_cast<std::uintptr_t>(to_);
    const bool in_from = access.address >= first && access.address < first + sizeof from_;
    const std::uintptr_t offset = access.address - (in_from ? first : second);
    return std::string(access.write ? "W " : "R ") + (in_from ? "from+" : "to+") + std::to_string(offset) + " " +
           std::to_string(access.size);
  }
  using Accesses = std::vector<std::string>;

  char from_[64] = {};
  char to_[64] = {};
};

TEST_F(StringTest, Lengths) {
  EXPECT_EQ(ravel_strlen(from_), 6u);
  EXPECT_EQ(announced(), Accesses{"R from+0 7"});
  EXPECT_EQ(ravel_strnlen(from_, 4), 4u);
  EXPECT_EQ(announced(), Accesses{"R from+0 4"});
  EXPECT_EQ(ravel_strnlen(from_, 40), 6u);
  EXPECT_EQ(announced(), Accesses{"R from+0 7"});
}

// Words or bytes, the first difference decides.
TEST_F(StringTest, BlocksAreReadUpToTheFirstDifference) {
  for (std::size_t size = 1; size <= 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::memset(from_, 5, sizeof from_);
      std::memset(to_, 5, sizeof to_);
      to_[at] = 6;
      to_[size - 1] = 6;
      EXPECT_LT(ravel_memcmp(from_, to_, size), 0);
      const std::string read = std::to_string(at + 1);
      ASSERT_EQ(announced(), (Accesses{"R from+0 " + read, "R to+0 " + read})) << size;
    }
  }
}

TEST_F(StringTest, ComparisonsReadUpToTheDifference) {
  std::strcpy(to_, "abd");
  EXPECT_LT(ravel_strcmp(from_, to_), 0);
  EXPECT_EQ(announced(), (Accesses{"R from+0 3", "R to+0 3"}));
  EXPECT_EQ(ravel_strncmp(from_, to_, 2), 0);
  EXPECT_EQ(announced(), (Accesses{"R from+0 2", "R to+0 2"}));
  EXPECT_EQ(ravel_strcmp(from_, from_), 0);
  EXPECT_EQ(announced(), (Accesses{"R from+0 7", "R from+0 7"}));
  EXPECT_LT(ravel_memcmp(from_, to_, 20), 0);
  EXPECT_EQ(announced(), (Accesses{"R from+0 3", "R to+0 3"}));
  EXPECT_EQ(ravel_memcmp(from_, from_, 20), 0) << "a null character does not end a block";
  EXPECT_EQ(announced(), (Accesses{"R from+0 20", "R from+0 20"}));
  EXPECT_EQ(ravel_memcmp(from_, to_, 0), 0);
  EXPECT_EQ(announced(), Accesses{});
}

TEST_F(StringTest, SearchesReadUpToWhatTheyFind) {
  EXPECT_EQ(ravel_strchr(from_, 'c'), from_ + 2);
  EXPECT_EQ(announced(), Accesses{"R from+0 3"});
  EXPECT_EQ(ravel_strchr(from_, 'z'), nullptr);
  EXPECT_EQ(announced(), Accesses{"R from+0 7"});
  EXPECT_EQ(ravel_strrchr(from_, 'a'), from_ + 3);
  EXPECT_EQ(announced(), Accesses{"R from+0 7"});
  EXPECT_EQ(ravel_memchr(from_, 'b', 20), from_ + 1);
  EXPECT_EQ(announced(), Accesses{"R from+0 2"});
  EXPECT_EQ(ravel_memchr(from_, 'z', 20), nullptr);
  EXPECT_EQ(announced(), Accesses{"R from+0 20"});
  std::strcpy(to_, "ca");
  EXPECT_EQ(ravel_strstr(from_, to_), from_ + 2);
  EXPECT_EQ(announced(), (Accesses{"R from+0 4", "R to+0 3"}));
}

TEST_F(StringTest, CopiesAndAppends) {
  EXPECT_EQ(ravel_strcpy(to_, from_), to_);
  EXPECT_STREQ(to_, "abcabc");
  EXPECT_EQ(announced(), (Accesses{"R from+0 7", "W to+0 7"}));
  EXPECT_EQ(ravel_stpcpy(to_, from_), to_ + 6);
  EXPECT_EQ(announced(), (Accesses{"R from+0 7", "W to+0 7"}));
  EXPECT_EQ(ravel_strncpy(to_, from_, 3), to_);
  EXPECT_EQ(announced(), (Accesses{"R from+0 3", "W to+0 3"}));
  EXPECT_EQ(ravel_strncpy(to_, from_, 10), to_) << "the rest is filled with null characters";
  EXPECT_EQ(announced(), (Accesses{"R from+0 7", "W to+0 10"}));
  std::strcpy(to_, "xy");
  EXPECT_EQ(ravel_strcat(to_, from_), to_);
  EXPECT_STREQ(to_, "xyabcabc");
  EXPECT_EQ(announced(), (Accesses{"R from+0 7", "R to+0 3", "W to+2 7"}));
  EXPECT_EQ(ravel_strncat(to_, from_, 2), to_);
  EXPECT_STREQ(to_, "xyabcabcab");
  EXPECT_EQ(announced(), (Accesses{"R from+0 2", "R to+0 9", "W to+8 3"}));
  char* copy = ravel_strdup(from_);
  EXPECT_STREQ(copy, from_);
  EXPECT_EQ(announced(), Accesses{"R from+0 7"});
  std::free(copy);
}

TEST_F(StringTest, FortifiedForms) {
  ravel___memcpy_chk(to_, from_, 5, sizeof to_);
  EXPECT_EQ(announced(), (Accesses{"R from+0 5", "W to+0 5"}));
  ravel___memset_chk(to_, 'q', 4, sizeof to_);
  EXPECT_EQ(announced(), Accesses{"W to+0 4"});
  ravel___strcpy_chk(to_, from_, sizeof to_);
  EXPECT_EQ(announced(), (Accesses{"R from+0 7", "W to+0 7"}));
  ravel___strncat_chk(to_, from_, 1, sizeof to_);
  EXPECT_STREQ(to_, "abcabca");
  EXPECT_EQ(announced(), (Accesses{"R from+0 1", "R to+0 7", "W to+6 2"}));
  EXPECT_DEATH(ravel___memcpy_chk(to_, from_, 5, 4), "") << "what the C library checks is still checked";
}

TEST_F(StringTest, NothingIsAnnouncedWithOneThread) {
  g_watch = false;
  EXPECT_EQ(ravel_strlen(from_), 6u);
  ravel_strcat(to_, from_);
  EXPECT_EQ(ravel_memcmp(from_, from_, 6), 0);
  EXPECT_TRUE(g_core.plain.empty());
}

}  // namespace
}  // namespace ravel::rt
