// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C++ library reaches the same allocation by several ways of different depth: the line told of it is the same in
// every run.
//
// expect: clean
// operations: create,join,lock
// options: --verify
#include <cassert>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex mutex;
static std::map<std::string, std::string> shared;

static std::string pieces(int id) {
  const std::string longer(40, 'x');
  std::string text = "the number of this thread is ";
  text += std::to_string(id);
  text.append(longer, 3, 20).insert(0, longer).replace(2, 1, longer);
  text.resize(200, 'y');
  std::ostringstream out;
  out << text << ' ' << id << ' ' << 2.5 << longer;
  std::string line;
  std::istringstream in(out.str());
  std::getline(in, line);
  return line + std::string(line.rbegin(), line.rend());
}

static void work(int id) {
  const std::string text = pieces(id);
  const bool found = std::regex_search(text, std::regex("number of (this|that) thread is \\d"));
  assert(found);
  const std::lock_guard lock(mutex);
  shared[text].append(text).push_back('z');
}

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  assert(shared.size() == 2);
  return 0;
}
