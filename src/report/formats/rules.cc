// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/formats/rules.h"

namespace ravel {
namespace {

constexpr Rule kRules[] = {
    {OutcomeKind::kAssertion, "Assertion", "An assertion fails under some interleaving of threads.",
     "Follow the interleaving to the step at which another thread changed what this thread relied on; make what "
     "belongs "
     "together one critical section, or check again after the lock was taken."},
    {OutcomeKind::kException, "UncaughtException", "An exception leaves a thread under some interleaving.",
     "Check what the throwing code read last and which thread wrote it. An exception that leaves a thread ends the "
     "program: catch it in the thread's function or prevent its cause."},
    {OutcomeKind::kSignal, "Crash", "The program is ended by a signal under some interleaving.",
     "Replay it under gdb (ravel replay --gdb PLAN): it stops at the failure with all threads."},
    {OutcomeKind::kExitCode, "ExitCode", "The program ends with an unexpected exit status under some interleaving.",
     "Replay the plan; its output shows what the program found wrong."},
    {OutcomeKind::kDeadlock, "Deadlock", "Threads wait for each other for ever.",
     "Take locks in one order everywhere, take several at once (std::scoped_lock), or do not hold one while waiting "
     "for "
     "another thread."},
    {OutcomeKind::kStepLimit, "StepLimit", "An execution does not end within the limit of steps.",
     "Check the events that repeat: a loop waits for a change that no thread will make."},
    {OutcomeKind::kDataRace, "DataRace", "Two threads access the same memory, one writes, and nothing orders them.",
     "Protect both accesses by the same mutex, or make the object std::atomic. A data race is undefined behaviour even "
     "where the values look right."},
    {OutcomeKind::kMisuse, "LockMisuse", "A synchronisation object is used against its rules.",
     "Unlock only what this thread has locked, destroy only what nobody uses; std::lock_guard and std::unique_lock do "
     "so "
     "by construction."},
    {OutcomeKind::kUseAfterFree, "UseAfterFree", "Memory is used after another step has freed it.",
     "Let whoever uses the object last own it (std::shared_ptr), or join the user before the owner frees."},
    {OutcomeKind::kDoubleFree, "DoubleFree", "Memory is freed twice.",
     "Give the memory one owner; two threads that both see it alive must agree who frees it."},
    {OutcomeKind::kHeapOverflow, "HeapOverflow", "Memory before or behind a block of the heap is read or written.",
     "Compare the size that was allocated with the offset that is used; where another thread changes the size or the "
     "index in between, make checking and using it one critical section."},
    {OutcomeKind::kAtomicityViolation, "AtomicityViolation",
     "A step of another thread comes between steps that belong together.",
     "Make the steps one critical section, or one atomic operation (compare_exchange, fetch_add)."},
    {OutcomeKind::kOrderViolation, "OrderViolation", "Something is used before another thread has made it ready.",
     "Wait for it: a condition variable with a predicate, a future, std::latch, or start the thread later."},
    {OutcomeKind::kPotentialDeadlock, "PotentialDeadlock", "Locks are taken in a cycle: some schedule may deadlock.",
     "Take locks in one order everywhere, or several at once (std::scoped_lock)."},
    {OutcomeKind::kLostSignal, "LostSignal",
     "A condition variable is signalled while nobody waits, and then waited for.",
     "Change the predicate under the mutex, and wait with the predicate: wait(lock, predicate)."},
    {OutcomeKind::kLivelock, "Livelock", "Threads keep running and keep each other from making progress.",
     "Let one of them proceed: a fixed order, a back-off of different length, or a lock that blocks."},
    {OutcomeKind::kStarvation, "Starvation", "A thread never gets a resource that others keep taking.",
     "Use a fair lock or a queue; do not retake a lock right after releasing it."},
    {OutcomeKind::kBlockedThread, "BlockedThread", "A thread waits for ever while the program goes on without it.",
     "Wake it before the program ends, and join it."},
    {OutcomeKind::kHang, "Hang", "The program stops without waiting for anything Ravel controls.",
     "Check for blocking system calls or busy loops outside of instrumented code."},
};

constexpr Rule kOther = {OutcomeKind::kCount, "Defect", "The program fails under some interleaving of threads.",
                         "Replay the plan and follow the interleaving."};

}  // namespace

std::span<const Rule> rule_table() {
  return kRules;
}

const Rule& rule_of(OutcomeKind kind) {
  for (const Rule& rule : kRules) {
    if (rule.kind == kind) return rule;
  }
  return kOther;
}

}  // namespace ravel
