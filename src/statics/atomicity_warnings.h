// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pairs of accesses that belong together and are not protected together. The second depends on what the first has read,
// no lock is held from the one to the other, and another thread can write in between:
//
//   one object     the first reads it, the second writes it: check-then-act, a read-modify-write in two steps, two
//                  regions of one lock
//   two objects    (two-stage access) each under a lock of its own, and another thread writes both
//
// Not when the second checks again: it depends on a read of the object that is protected together with it. What is a
// race already is not said twice.
#pragma once

#include <vector>

#include "statics/facts.h"

namespace ravel {

// One per pair of lines.
std::vector<StaticWarning> atomicity_warnings(const Facts& facts);

}  // namespace ravel
