// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signals from other processes, for who waits for something from outside. Supplied by signals/delivery.cc.
#pragma once

namespace ravel::rt {

bool somebody_waits_for_signals();
// Signals that the system keeps for the process and a thread waits for. True: there was one.
bool take_outside_signals();

}  // namespace ravel::rt
