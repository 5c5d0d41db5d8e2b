// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// RAVEL_LARGE_TABLE marks a global table of a page or more that starts as zeros: it is linked behind all other globals.
// A rollback compares every page that an execution has written, so the small globals of the runtime should share few
// pages. Between large tables each of them would occupy a page of its own.
#pragma once

// large_tables.ld tells the linker where the section belongs.
#define RAVEL_LARGE_TABLE __attribute__((section(".bss.large")))
