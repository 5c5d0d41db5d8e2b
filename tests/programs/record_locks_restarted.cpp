// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A wait for a range goes on after a handler with SA_RESTART.
//
// expect: clean
// native: no
#define RESTART
#include "record_locks_interrupted.cpp"
