// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// For variables that are declared in a header: without it each use of one goes through the table of addresses that the
// dynamic linker fills in, since the compiler cannot know that it is of this library.
#pragma once

#define RAVEL_HIDDEN __attribute__((visibility("hidden")))
