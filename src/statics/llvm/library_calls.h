// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What functions without a body do, as far as the analyses need it: one table by linked name. A function that is in no
// row and comes from the C or C++ library is taken to return one of its arguments and to keep none.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace ravel {

enum class LibraryCall : std::uint8_t {
  kUnknown,
  kAllocate,      // returns new memory
  kAllocateInto,  // stores new memory where argument 0 points
  kCopyMemory,    // argument 0 from argument 1, as many bytes as argument 2
  kSetMemory,     // writes argument 0, as many bytes as argument 2
  kReadString,    // reads what its pointer arguments point to
  kCopyString,    // writes argument 0, reads argument 1, returns argument 0
  kLinkNodes,     // nodes of lists and trees: writes what its arguments point to, and stores them in each other
  kMethod,        // of std::string: reads and writes argument 0, reads the others
  kConstMethod,   // reads them
  kLock,          // argument 0
  kTryLock,       // may fail
  kUnlock,
  kReadLock,
  kTryReadLock,
  kLockSeveral,  // std::lock
  kWait,         // condition and mutex
  kWaitUnique,   // condition and std::unique_lock
  kNotify,
  kCreatePosix,     // pthread_create(handle, attributes, function, argument)
  kCreateC,         // thrd_create(handle, function, argument)
  kCreateNotified,  // timer_create and its kin: threads of the C library call the function of a sigevent
  kCreateStd,       // std::thread::_M_start_thread(handle, unique_ptr to a state with a virtual function)
  kJoinValue,       // the handle by value
  kJoinPointer,     // the handle behind argument 0
  kJoinJthread,     // the destructor of std::jthread: its second member is the handle
  kOnce,            // pthread_once(flag, function)
  kSetSpecific,     // keeps argument 1 for this thread
  kGetSpecific,     // returns what was kept
  kEndThread,       // argument 0 is what joining the thread gives
  kThrow,           // argument 0 is the exception
  kCatch,           // returns it
  kCallsNow,        // calls its function arguments, on this thread, before it returns
  kCallsLater,      // calls them when the program ends
  kCallsAnywhere,   // on any thread, when it ends or at any time: signal handlers, destructors of thread-specific data
  kEnds,            // does not return
};

LibraryCall library_call(llvm::StringRef name);
// Bodies that are replaced by their row of the table: kept as calls.
bool keep_as_call(llvm::StringRef name);

}  // namespace ravel
