// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The older "dynamic annotations" that programs still carry. Those that declare order between threads become acquire
// and release; those that silence a detector do nothing, as a benign race is looked at here like any other.
#include "runtime/callouts/call_out.h"

using namespace ravel::rt;

#define QUIET_ANNOTATION(name, ...) \
  CALL_OUT void name(const char*, int __VA_OPT__(, ) __VA_ARGS__) {}

CALL_OUT void AnnotateHappensBefore(const char*, int, void* p) {
  if (watched()) annotate_release(address_of(p), CALLER);
}
CALL_OUT void AnnotateHappensAfter(const char*, int, void* p) {
  if (watched()) annotate_acquire(address_of(p), CALLER);
}
CALL_OUT void WTFAnnotateHappensBefore(const char*, int, void* p) {
  if (watched()) annotate_release(address_of(p), CALLER);
}
CALL_OUT void WTFAnnotateHappensAfter(const char*, int, void* p) {
  if (watched()) annotate_acquire(address_of(p), CALLER);
}

CALL_OUT void AnnotateRWLockAcquired(const char*, int, void* lock, unsigned long) {
  if (watched()) annotate_acquire(address_of(lock), CALLER);
}
CALL_OUT void AnnotateRWLockReleased(const char*, int, void* lock, unsigned long) {
  if (watched()) annotate_release(address_of(lock), CALLER);
}
QUIET_ANNOTATION(AnnotateRWLockCreate, void*)
QUIET_ANNOTATION(AnnotateRWLockCreateStatic, void*)
QUIET_ANNOTATION(AnnotateRWLockDestroy, void*)

CALL_OUT void AnnotateCondVarSignal(const char*, int, void* condition) {
  if (watched()) annotate_release(address_of(condition), CALLER);
}
CALL_OUT void AnnotateCondVarSignalAll(const char*, int, void* condition) {
  if (watched()) annotate_release(address_of(condition), CALLER);
}
CALL_OUT void AnnotateCondVarWait(const char*, int, void* condition, void*) {
  if (watched()) annotate_acquire(address_of(condition), CALLER);
}

// Queues between a producer and a consumer: put happens before get.
CALL_OUT void AnnotatePCQPut(const char*, int, void* queue) {
  if (watched()) annotate_release(address_of(queue), CALLER);
}
CALL_OUT void AnnotatePCQGet(const char*, int, void* queue) {
  if (watched()) annotate_acquire(address_of(queue), CALLER);
}
QUIET_ANNOTATION(AnnotatePCQCreate, void*)
QUIET_ANNOTATION(AnnotatePCQDestroy, void*)

QUIET_ANNOTATION(AnnotateMutexIsNotPHB, void*)
QUIET_ANNOTATION(AnnotateMutexIsUsedAsCondVar, void*)
QUIET_ANNOTATION(AnnotatePublishMemoryRange, void*, unsigned long)
QUIET_ANNOTATION(AnnotateUnpublishMemoryRange, void*, unsigned long)
QUIET_ANNOTATION(AnnotateNewMemory, void*, unsigned long)
QUIET_ANNOTATION(AnnotateMemoryIsInitialized, void*, unsigned long)
QUIET_ANNOTATION(AnnotateMemoryIsUninitialized, void*, unsigned long)
QUIET_ANNOTATION(AnnotateTraceMemory, void*)
QUIET_ANNOTATION(AnnotateThreadName, const char*)
QUIET_ANNOTATION(AnnotateNoOp, void*)
QUIET_ANNOTATION(AnnotateFlushState)
QUIET_ANNOTATION(AnnotateEnableRaceDetection, int)
QUIET_ANNOTATION(AnnotateExpectRace, void*, const char*)
QUIET_ANNOTATION(AnnotateFlushExpectedRaces)
QUIET_ANNOTATION(AnnotateBenignRace, void*, const char*)
QUIET_ANNOTATION(AnnotateBenignRaceSized, void*, unsigned long, const char*)
QUIET_ANNOTATION(WTFAnnotateBenignRaceSized, void*, unsigned long, const char*)
QUIET_ANNOTATION(AnnotateIgnoreReadsBegin)
QUIET_ANNOTATION(AnnotateIgnoreReadsEnd)
QUIET_ANNOTATION(AnnotateIgnoreWritesBegin)
QUIET_ANNOTATION(AnnotateIgnoreWritesEnd)
QUIET_ANNOTATION(AnnotateIgnoreSyncBegin)
QUIET_ANNOTATION(AnnotateIgnoreSyncEnd)

CALL_OUT int RunningOnValgrind() {
  return 0;
}
CALL_OUT double ValgrindSlowdown() {
  return 10.0;  // what programs with time-outs expect of a checking tool
}
