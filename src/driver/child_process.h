// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Starts a program as the leader of a process group of its own, which dies with the tool. What differs between the
// ways of running it is done by the caller, in the child, right before the program is executed.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "model/text/result.h"

namespace ravel {

struct ChildStart {
  std::string path;  // absolute
  const std::vector<std::string>& argv;
  std::string cwd;         // empty: stay
  std::string stdin_path;  // empty: /dev/null
  int output[2] = {-1, -1};
  std::function<bool()> prepare;  // false: errno says why
};

// Whoever started it reaps it.
Result<pid_t> start_child(const ChildStart& start);
std::vector<char*> argument_pointers(const std::vector<std::string>& words);
// Addresses are the same in every run; containers may refuse it.
void no_address_randomisation();

}  // namespace ravel
