// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// All constructs: semaphores, monitors, ports, entries, selective waits, labels, threads that can be recorded.
#pragma once

#include "ravel/entry.h"
#include "ravel/event.h"
#include "ravel/monitor.h"
#include "ravel/port.h"
#include "ravel/select.h"
#include "ravel/semaphore.h"
#include "ravel/thread.h"
