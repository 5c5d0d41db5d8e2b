// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Instrumented, and never two threads.
int value = 0;

int main() {
  for (int i = 0; i < 10; ++i) value += i;
  return value == 45 ? 0 : 1;
}
