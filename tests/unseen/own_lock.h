// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock in a library that is built without Ravel.
#pragma once

void own_lock();
void own_unlock();
