// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// account_deadlock N: N accounts and a thread for each, which deposits, withdraws and transfers to the next account. A
// transfer takes the lock of its own account, then that of the other: a ring of N locks.
#include "accounts.h"

int main(int argc, char** argv) {
  run_ring<Account<true>>(argc, argv);
}
