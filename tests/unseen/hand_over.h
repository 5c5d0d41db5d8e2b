// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A library that is built without Ravel and hands work from one thread to another by atomics of its own.
#pragma once

// first(argument) in a new thread, and when it has ended second(argument) in this one.
void one_after_the_other(void (*first)(void*), void (*second)(void*), void* argument);
// The same without waiting for the first: nothing orders the two. Locks come from pthreads alone.
void side_by_side(void (*first)(void*), void (*second)(void*), void* argument);
