// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Descriptors of timers, in virtual time: what the program gets is an event descriptor, whose counter goes up when the
// timer goes off. Reading, polling and closing it are those of any event descriptor.
#pragma once

namespace ravel::rt {

// The descriptor is going to be closed.
void forget_timer_descriptor(int descriptor);

}  // namespace ravel::rt
