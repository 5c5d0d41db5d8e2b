// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#pragma once

namespace ravel::bench {

// Nanoseconds for handing control from one OS thread to another by futex and going to sleep, both on one CPU: what a
// switch costs that is not done inside the process.
double futex_hand_off_ns(int count);

}  // namespace ravel::bench
