// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// account_race N: N accounts and a thread for each, which deposits, withdraws and transfers to the next account. A
// transfer holds the lock of its own account only: the other balance loses an update.
#include "accounts.h"

int main(int argc, char** argv) {
  run_ring<Account<false>>(argc, argv);
}
