// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Instructions by which a program sees the machine without asking anybody: rdtsc, rdtscp, rdrand, rdseed. The code of
// the program and of its libraries (not the C and C++ libraries') is searched for them once. Reading the time stamp
// counter is then made to fault, where the kernel allows, and answered with virtual time; random numbers cannot be
// trapped and are named. Programs without such instructions pay nothing and are not touched.
#pragma once

namespace ravel::rt {

// Once, in the process that all executions are forked from.
void find_instructions();

// Per execution: makes the counter fault if the program reads it; lets it read again (before another program is
// executed in this process: the setting survives).
void trap_time_stamp_counter();
void release_time_stamp_counter();

// A fault that is such a read is answered, and the program goes on behind it. For the handler of SIGSEGV.
bool answer_time_stamp(void* context);

}  // namespace ravel::rt
