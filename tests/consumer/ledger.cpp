// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "ledger.h"

void Ledger::book(int amount) {
  const int before = total_.load();
  total_.store(before + amount);
}
