// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/ending/exceptions.h"

#include <dlfcn.h>

#include <exception>
#include <typeinfo>

#include "runtime/platform/raw.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {

struct Throw {
  ThreadIndex thread_plus_one = 0;
  void* object = nullptr;
  LocationId location = 0;
};
// The last throw of each of the threads that threw last; more are not needed to name the one that ends the program.
constexpr unsigned kRemembered = 64;
Throw throws[kRemembered];

using Demangle = char* (*)(const char*, char*, std::size_t*, int*);
using CurrentType = std::type_info* (*)();

}  // namespace

void note_throw(void* object, void* type, LocationId location) {
  const ThreadIndex thread = g.current->index;
  throws[thread % kRemembered] = {thread + 1, object, location};
  if (recording()) record(OpKind::kThrow, 0, 0, reinterpret_cast<std::uintptr_t>(type), location, 0);
}

bool describe_uncaught_exception(char* buffer, std::size_t size, LocationId& thrown_at) {
  const auto current_type = reinterpret_cast<CurrentType>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  const std::type_info* type = current_type != nullptr ? current_type() : nullptr;
  if (type == nullptr) return false;
  TextBuffer out(buffer, size);
  const auto demangle = reinterpret_cast<Demangle>(dlsym(RTLD_DEFAULT, "__cxa_demangle"));
  const char* name = type->name();
  int status = 0;
  const char* readable = demangle != nullptr ? demangle(name, nullptr, nullptr, &status) : nullptr;
  out.text("uncaught exception ").text(readable != nullptr ? readable : name);
  const Throw& last = throws[g.current->index % kRemembered];
  if (last.thread_plus_one != g.current->index + 1) return true;
  thrown_at = last.location;
  // Is it a std::exception? The C++ library's own run-time check answers and adjusts the pointer.
  const auto* base = static_cast<const std::type_info*>(dlsym(RTLD_DEFAULT, "_ZTISt9exception"));
  void* object = last.object;
  if (base != nullptr && base->__do_catch(type, &object, 1)) {
    out.text(": ").text(static_cast<const std::exception*>(object)->what());
  }
  return true;
}

}  // namespace ravel::rt
