// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/library_calls.h"

#include <llvm/ADT/StringMap.h>

namespace ravel {
namespace {

struct Row {
  const char* name;
  LibraryCall call;
};

constexpr Row kRows[] = {
    {"malloc", LibraryCall::kAllocate},
    {"calloc", LibraryCall::kAllocate},
    {"realloc", LibraryCall::kAllocate},
    {"aligned_alloc", LibraryCall::kAllocate},
    {"strdup", LibraryCall::kAllocate},
    {"strndup", LibraryCall::kAllocate},
    {"memalign", LibraryCall::kAllocate},
    {"valloc", LibraryCall::kAllocate},
    {"pvalloc", LibraryCall::kAllocate},
    {"reallocarray", LibraryCall::kAllocate},
    {"mmap", LibraryCall::kAllocate},
    {"mmap64", LibraryCall::kAllocate},
    {"mremap", LibraryCall::kAllocate},
    {"shmat", LibraryCall::kAllocate},
    {"__cxa_allocate_exception", LibraryCall::kAllocate},
    {"posix_memalign", LibraryCall::kAllocateInto},
    {"asprintf", LibraryCall::kAllocateInto},
    {"vasprintf", LibraryCall::kAllocateInto},
    {"getline", LibraryCall::kAllocateInto},
    {"getdelim", LibraryCall::kAllocateInto},
    {"memcpy", LibraryCall::kCopyMemory},
    {"memmove", LibraryCall::kCopyMemory},
    {"memset", LibraryCall::kSetMemory},
    {"strcpy", LibraryCall::kCopyString},
    {"stpcpy", LibraryCall::kCopyString},
    {"strncpy", LibraryCall::kCopyString},
    {"strcat", LibraryCall::kCopyString},
    {"strncat", LibraryCall::kCopyString},
    {"strlen", LibraryCall::kReadString},
    {"strcmp", LibraryCall::kReadString},
    {"strncmp", LibraryCall::kReadString},
    {"strchr", LibraryCall::kReadString},
    {"strrchr", LibraryCall::kReadString},
    {"strstr", LibraryCall::kReadString},
    {"memcmp", LibraryCall::kReadString},
    {"bcmp", LibraryCall::kReadString},
    {"memchr", LibraryCall::kReadString},
    {"puts", LibraryCall::kReadString},
    {"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", LibraryCall::kLinkNodes},
    {"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", LibraryCall::kLinkNodes},
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", LibraryCall::kLinkNodes},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", LibraryCall::kLinkNodes},
    {"_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", LibraryCall::kLinkNodes},
    {"_ZNSt8__detail15_List_node_base10_M_reverseEv", LibraryCall::kLinkNodes},
    {"_ZNSt8__detail15_List_node_base4swapERS0_S1_", LibraryCall::kLinkNodes},
    {"pthread_mutex_lock", LibraryCall::kLock},
    {"pthread_spin_lock", LibraryCall::kLock},
    {"pthread_rwlock_wrlock", LibraryCall::kLock},
    {"mtx_lock", LibraryCall::kLock},
    {"pthread_mutex_trylock", LibraryCall::kTryLock},
    {"pthread_mutex_timedlock", LibraryCall::kTryLock},
    {"pthread_mutex_clocklock", LibraryCall::kTryLock},
    {"pthread_spin_trylock", LibraryCall::kTryLock},
    {"pthread_rwlock_trywrlock", LibraryCall::kTryLock},
    {"pthread_rwlock_timedwrlock", LibraryCall::kTryLock},
    {"pthread_rwlock_clockwrlock", LibraryCall::kTryLock},
    {"mtx_trylock", LibraryCall::kTryLock},
    {"mtx_timedlock", LibraryCall::kTryLock},
    {"pthread_mutex_unlock", LibraryCall::kUnlock},
    {"pthread_spin_unlock", LibraryCall::kUnlock},
    {"pthread_rwlock_unlock", LibraryCall::kUnlock},
    {"mtx_unlock", LibraryCall::kUnlock},
    {"pthread_rwlock_rdlock", LibraryCall::kReadLock},
    {"pthread_rwlock_tryrdlock", LibraryCall::kTryReadLock},
    {"pthread_rwlock_timedrdlock", LibraryCall::kTryReadLock},
    {"pthread_rwlock_clockrdlock", LibraryCall::kTryReadLock},
    {"pthread_cond_wait", LibraryCall::kWait},
    {"pthread_cond_timedwait", LibraryCall::kWait},
    {"pthread_cond_clockwait", LibraryCall::kWait},
    {"cnd_wait", LibraryCall::kWait},
    {"cnd_timedwait", LibraryCall::kWait},
    {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", LibraryCall::kWaitUnique},
    {"pthread_cond_signal", LibraryCall::kNotify},
    {"pthread_cond_broadcast", LibraryCall::kNotify},
    {"cnd_signal", LibraryCall::kNotify},
    {"cnd_broadcast", LibraryCall::kNotify},
    {"_ZNSt18condition_variable10notify_oneEv", LibraryCall::kNotify},
    {"_ZNSt18condition_variable10notify_allEv", LibraryCall::kNotify},
    {"pthread_create", LibraryCall::kCreatePosix},
    {"thrd_create", LibraryCall::kCreateC},
    {"timer_create", LibraryCall::kCreateNotified},
    {"mq_notify", LibraryCall::kCreateNotified},
    {"aio_read", LibraryCall::kCreateNotified},
    {"aio_write", LibraryCall::kCreateNotified},
    {"aio_fsync", LibraryCall::kCreateNotified},
    {"lio_listio", LibraryCall::kCreateNotified},
    {"getaddrinfo_a", LibraryCall::kCreateNotified},
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", LibraryCall::kCreateStd},
    {"pthread_join", LibraryCall::kJoinValue},
    {"thrd_join", LibraryCall::kJoinValue},
    {"_ZNSt6thread4joinEv", LibraryCall::kJoinPointer},
    {"_ZNSt7jthreadD1Ev", LibraryCall::kJoinJthread},
    {"_ZNSt7jthreadD2Ev", LibraryCall::kJoinJthread},
    {"pthread_setspecific", LibraryCall::kSetSpecific},
    {"tss_set", LibraryCall::kSetSpecific},
    {"pthread_getspecific", LibraryCall::kGetSpecific},
    {"tss_get", LibraryCall::kGetSpecific},
    {"pthread_exit", LibraryCall::kEndThread},
    {"__cxa_throw", LibraryCall::kThrow},
    {"__cxa_begin_catch", LibraryCall::kCatch},
    {"pthread_once", LibraryCall::kOnce},
    {"call_once", LibraryCall::kOnce},
    {"qsort", LibraryCall::kCallsNow},
    {"bsearch", LibraryCall::kCallsNow},
    {"atexit", LibraryCall::kCallsLater},
    {"at_quick_exit", LibraryCall::kCallsLater},
    {"on_exit", LibraryCall::kCallsLater},
    {"__cxa_atexit", LibraryCall::kCallsLater},
    {"__cxa_thread_atexit", LibraryCall::kCallsAnywhere},
    {"pthread_key_create", LibraryCall::kCallsAnywhere},
    {"tss_create", LibraryCall::kCallsAnywhere},
    {"pthread_atfork", LibraryCall::kCallsLater},
    {"signal", LibraryCall::kCallsAnywhere},
    {"sigaction", LibraryCall::kCallsAnywhere},
    {"exit", LibraryCall::kEnds},
    {"_exit", LibraryCall::kEnds},
    {"abort", LibraryCall::kEnds},
    {"__assert_fail", LibraryCall::kEnds},
};

}  // namespace

bool keep_as_call(llvm::StringRef name) {
  return name.startswith("_ZNSt7jthreadD") || name.startswith("_ZSt4lockI");
}

LibraryCall library_call(llvm::StringRef name) {
  static const llvm::StringMap<LibraryCall> kTable = [] {
    llvm::StringMap<LibraryCall> table;
    for (const Row& row : kRows) table[row.name] = row.call;
    return table;
  }();
  const auto found = kTable.find(name);
  if (found != kTable.end()) return found->second;
  if (name.startswith("_Znwm") || name.startswith("_Znam")) return LibraryCall::kAllocate;
  if (name.startswith("llvm.memcpy") || name.startswith("llvm.memmove")) return LibraryCall::kCopyMemory;
  if (name.startswith("llvm.memset")) return LibraryCall::kSetMemory;
  if (name.startswith("_ZNSt7__cxx1112basic_string")) return LibraryCall::kMethod;
  if (name.startswith("_ZNKSt7__cxx1112basic_string")) return LibraryCall::kConstMethod;
  if (name.startswith("_ZSt4lockI")) return LibraryCall::kLockSeveral;
  return LibraryCall::kUnknown;
}

}  // namespace ravel
