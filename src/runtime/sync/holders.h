// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#pragma once

#include "runtime/state/thread.h"
#include "wire/shared_block.h"

namespace ravel::rt {

// Who could let the waiting thread go on: owner of the lock, joined thread, runner of the initialiser; and where it
// took it.
void fill_in_holder(const VirtualThread& waiting, WaitingRecord& record);

}  // namespace ravel::rt
