// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What happens before a function of library_call_list.h: a scheduling point, and an access to the state it is about.
#include "runtime/intercept/library_call_list.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/invariant.h"
#include "runtime/intercept/export.h"
#include "runtime/intercept/stream_entry.h"
#include "runtime/world/library_state.h"

namespace ravel::rt {
namespace {

enum class Effect : std::uint8_t { kReads, kChanges, kSets };

constexpr unsigned kMask = 7;  // of the number of an argument
constexpr std::uint8_t kUnlocked(unsigned argument) {
  return static_cast<std::uint8_t>(kMask + 1 + argument);
}

struct LibraryCall {
  const char* name;
  Effect effect;
  LibraryState state;
  std::uint8_t stream;  // number of the argument; above kMask: nobody's lock is waited for
};

constexpr LibraryCall kCalls[] = {
#define X(name, effect, state, stream) {#name, Effect::effect, LibraryState::state, stream},
    RAVEL_LIBRARY_CALLS(X)
#undef X
};

void* functions[sizeof kCalls / sizeof kCalls[0]];  // in the library, looked up on first use

void announce(const LibraryCall& call, const std::uintptr_t* arguments, LocationId location) {
  if (call.effect == Effect::kSets) {
    change_setting(location);
  } else if (call.stream != 0) {
    FILE* const stream = reinterpret_cast<FILE*>(arguments[(call.stream & kMask) - 1]);
    enter_stream(stream, call.effect == Effect::kChanges, call.stream <= kMask, location);
  } else if (call.effect == Effect::kReads) {
    read_library_state(call.state, location);
  } else {
    change_library_state(call.state, location);
  }
}

// A C++ library that a plugin has brought along is in nobody's scope but its own.
void* find(const char* name) {
  if (void* const found = library_function(name); found != nullptr) return found;
  void* const library = real().dlopen("libstdc++.so.6", RTLD_NOLOAD | RTLD_LAZY);
  return library == nullptr ? nullptr : dlsym(library, name);
}

}  // namespace

// Called by library_calls.S. `frame` is its own, as of any function with a frame pointer.
extern "C" RAVEL_HIDDEN void* ravel_library_call(unsigned number, const std::uintptr_t* arguments, void** frame) {
  const LibraryCall& call = kCalls[number];
  void* const caller = frame[1];
  if (g.in_control && !is_unwinder(caller)) {
    announce(call, arguments, user_location(reinterpret_cast<std::uintptr_t>(caller), frame));
  }
  void*& function = functions[number];
  if (function == nullptr) function = find(call.name);
  INVARIANT(function != nullptr, "who calls a function of a library has that library");
  return function;
}

}  // namespace ravel::rt
