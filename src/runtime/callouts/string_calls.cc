// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Strings and blocks in the C library: share/compiler/block_calls.h has instrumented code call these functions instead.
// Each announces what it is about to read and write, then lets the C library do the work. A function that stops early
// (a difference, a character that was found) announces what it needs to know its result, no more: what lies behind is
// nobody's race.
#include <cstddef>
#include <cstdint>

#include "runtime/callouts/call_out.h"

using ravel::rt::address_of;
using ravel::rt::range_access;
using ravel::rt::watched;

// Declared here, not by <string.h>, whose C++ forms are overloaded and whose attributes call our checks superfluous.
extern "C" {
std::size_t strlen(const char*);
std::size_t strnlen(const char*, std::size_t);
int memcmp(const void*, const void*, std::size_t);
void* memchr(const void*, int, std::size_t);
int strcmp(const char*, const char*);
int strncmp(const char*, const char*, std::size_t);
char* strchr(const char*, int);
char* strrchr(const char*, int);
char* strstr(const char*, const char*);
char* strcpy(char*, const char*);
char* stpcpy(char*, const char*);
char* strncpy(char*, const char*, std::size_t);
char* strcat(char*, const char*);
char* strncat(char*, const char*, std::size_t);
char* strdup(const char*);
void* __memcpy_chk(void*, const void*, std::size_t, std::size_t);
void* __memmove_chk(void*, const void*, std::size_t, std::size_t);
void* __memset_chk(void*, int, std::size_t, std::size_t);
char* __strcpy_chk(char*, const char*, std::size_t);
char* __stpcpy_chk(char*, const char*, std::size_t);
char* __strncpy_chk(char*, const char*, std::size_t, std::size_t);
char* __strcat_chk(char*, const char*, std::size_t);
char* __strncat_chk(char*, const char*, std::size_t, std::size_t);
}

namespace {

void reads(const void* p, std::size_t size, std::uintptr_t pc) {
  range_access(address_of(p), size, false, pc);
}
void writes(const void* p, std::size_t size, std::uintptr_t pc) {
  range_access(address_of(p), size, true, pc);
}

// How many bytes decide how two blocks compare. `ends`: a null character ends both.
std::size_t compared(const void* left, const void* right, std::size_t most, bool ends) {
  const auto* a = static_cast<const unsigned char*>(left);
  const auto* b = static_cast<const unsigned char*>(right);
  std::size_t i = 0;
  if (!ends) {  // both are `most` bytes long, so words may be read ahead
    std::uint64_t left_word = 0;
    std::uint64_t right_word = 0;
    for (; i + sizeof left_word <= most && left_word == right_word; i += sizeof left_word) {
      __builtin_memcpy(&left_word, a + i, sizeof left_word);
      __builtin_memcpy(&right_word, b + i, sizeof right_word);
    }
    if (left_word != right_word) i -= sizeof left_word;
  }
  for (; i < most; ++i) {
    if (a[i] != b[i] || (ends && a[i] == 0)) return i + 1;
  }
  return most;
}

void announce_compare(const void* a, const void* b, std::size_t most, bool ends, std::uintptr_t pc) {
  const std::size_t size = compared(a, b, most, ends);
  reads(a, size, pc);
  reads(b, size, pc);
}

std::size_t with_null(const char* text) {
  return strlen(text) + 1;
}
// Of the first `most` characters of a text that may have no null character among them.
std::size_t within(const char* text, std::size_t most) {
  const std::size_t length = strnlen(text, most);
  return length == most ? most : length + 1;
}

void announce_copy(const void* to, std::size_t written, const void* from, std::size_t read, std::uintptr_t pc) {
  reads(from, read, pc);
  writes(to, written, pc);
}

// Appending finds the end first; its null character is written over.
void announce_append(char* to, std::size_t written, const char* from, std::size_t read, std::uintptr_t pc) {
  const std::size_t length = strlen(to);
  reads(from, read, pc);
  reads(to, length + 1, pc);
  writes(to + length, written, pc);
}

constexpr std::size_t kAll = ~std::size_t{0};

}  // namespace

CALL_OUT std::size_t ravel_strlen(const char* s) {
  if (watched()) reads(s, with_null(s), CALLER);
  return strlen(s);
}
CALL_OUT std::size_t ravel_strnlen(const char* s, std::size_t most) {
  if (watched()) reads(s, within(s, most), CALLER);
  return strnlen(s, most);
}
CALL_OUT int ravel_memcmp(const void* a, const void* b, std::size_t size) {
  if (watched()) announce_compare(a, b, size, false, CALLER);
  return memcmp(a, b, size);
}
CALL_OUT int ravel_strcmp(const char* a, const char* b) {
  if (watched()) announce_compare(a, b, kAll, true, CALLER);
  return strcmp(a, b);
}
CALL_OUT int ravel_strncmp(const char* a, const char* b, std::size_t most) {
  if (watched()) announce_compare(a, b, most, true, CALLER);
  return strncmp(a, b, most);
}
CALL_OUT void* ravel_memchr(const void* block, int c, std::size_t size) {
  if (watched()) {
    const void* found = memchr(block, c, size);
    reads(block, found == nullptr ? size : address_of(found) - address_of(block) + 1, CALLER);
  }
  return memchr(block, c, size);
}
CALL_OUT char* ravel_strchr(const char* s, int c) {
  if (watched()) {
    const char* found = strchr(s, c);
    reads(s, found == nullptr ? with_null(s) : address_of(found) - address_of(s) + 1, CALLER);
  }
  return strchr(s, c);
}
CALL_OUT char* ravel_strrchr(const char* s, int c) {
  if (watched()) reads(s, with_null(s), CALLER);
  return strrchr(s, c);
}
CALL_OUT char* ravel_strstr(const char* s, const char* word) {
  if (watched()) {
    const char* found = strstr(s, word);
    reads(s, found == nullptr ? with_null(s) : address_of(found) - address_of(s) + strlen(word), CALLER);
    reads(word, with_null(word), CALLER);
  }
  return strstr(s, word);
}
CALL_OUT char* ravel_strdup(const char* s) {
  if (watched()) reads(s, with_null(s), CALLER);
  return strdup(s);
}

// Copies, and their forms with _FORTIFY_SOURCE, which also know the room there is.
#define COPY_CALL_OUT(name, parameters, arguments, announcement) \
  CALL_OUT char* ravel_##name parameters {                       \
    if (watched()) announcement;                                 \
    return name arguments;                                       \
  }                                                              \
  static_assert(true)

#define WHOLE_COPY announce_copy(to, with_null(from), from, with_null(from), CALLER)
#define PADDED_COPY announce_copy(to, most, from, within(from, most), CALLER)
#define WHOLE_APPEND announce_append(to, with_null(from), from, with_null(from), CALLER)
#define PART_APPEND announce_append(to, strnlen(from, most) + 1, from, within(from, most), CALLER)

COPY_CALL_OUT(strcpy, (char* to, const char* from), (to, from), WHOLE_COPY);
COPY_CALL_OUT(stpcpy, (char* to, const char* from), (to, from), WHOLE_COPY);
COPY_CALL_OUT(strncpy, (char* to, const char* from, std::size_t most), (to, from, most), PADDED_COPY);
COPY_CALL_OUT(strcat, (char* to, const char* from), (to, from), WHOLE_APPEND);
COPY_CALL_OUT(strncat, (char* to, const char* from, std::size_t most), (to, from, most), PART_APPEND);
COPY_CALL_OUT(__strcpy_chk, (char* to, const char* from, std::size_t room), (to, from, room), WHOLE_COPY);
COPY_CALL_OUT(__stpcpy_chk, (char* to, const char* from, std::size_t room), (to, from, room), WHOLE_COPY);
COPY_CALL_OUT(__strncpy_chk, (char* to, const char* from, std::size_t most, std::size_t room), (to, from, most, room),
              PADDED_COPY);
COPY_CALL_OUT(__strcat_chk, (char* to, const char* from, std::size_t room), (to, from, room), WHOLE_APPEND);
COPY_CALL_OUT(__strncat_chk, (char* to, const char* from, std::size_t most, std::size_t room), (to, from, most, room),
              PART_APPEND);

CALL_OUT void* ravel___memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  if (watched()) announce_copy(to, size, from, size, CALLER);
  return __memcpy_chk(to, from, size, room);
}
CALL_OUT void* ravel___memmove_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  if (watched()) announce_copy(to, size, from, size, CALLER);
  return __memmove_chk(to, from, size, room);
}
CALL_OUT void* ravel___memset_chk(void* to, int value, std::size_t size, std::size_t room) {
  if (watched()) writes(to, size, CALLER);
  return __memset_chk(to, value, size, room);
}
