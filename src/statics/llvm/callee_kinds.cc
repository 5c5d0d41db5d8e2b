// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/callee_kinds.h"

#include "statics/llvm/library_calls.h"

namespace ravel {
namespace {

std::vector<SiteKind> kinds_of_call_out(llvm::StringRef name) {
  if (name.startswith("atomic")) {
    const bool reads = name.endswith("_load");
    const bool fence = name.contains("_fence");
    if (fence) return {};
    return {reads ? SiteKind::kAtomicRead : SiteKind::kAtomicWrite};
  }
  const bool copies = name == "memcpy" || name == "memmove";
  const bool writes = name.contains("write") || name.startswith("vptr_update") || name == "memset" || copies;
  const bool reads = name.contains("read") || copies;
  std::vector<SiteKind> kinds;
  if (reads) kinds.push_back(SiteKind::kRead);
  if (writes) kinds.push_back(SiteKind::kWrite);
  return kinds;
}

}  // namespace

std::vector<SiteKind> kinds_of_callee(const std::string& linked) {
  llvm::StringRef name = linked;
  name = name.split('@').first;  // its version
  if (name.consume_front("__tsan_")) return kinds_of_call_out(name);
  switch (library_call(name)) {
    case LibraryCall::kLock:
    case LibraryCall::kTryLock:
    case LibraryCall::kLockSeveral:
      return {SiteKind::kLock};
    case LibraryCall::kReadLock:
    case LibraryCall::kTryReadLock:
      return {SiteKind::kReadLock};
    case LibraryCall::kWait:
    case LibraryCall::kWaitUnique:
      return {SiteKind::kWait};
    case LibraryCall::kNotify:
      return {SiteKind::kNotify};
    case LibraryCall::kSetMemory:
      return {SiteKind::kWrite};
    case LibraryCall::kReadString:
    case LibraryCall::kConstMethod:
      return {SiteKind::kRead};
    case LibraryCall::kCopyMemory:
    case LibraryCall::kCopyString:
    case LibraryCall::kLinkNodes:
    case LibraryCall::kMethod:
      return {SiteKind::kRead, SiteKind::kWrite};
    default:
      return {};
  }
}

}  // namespace ravel
