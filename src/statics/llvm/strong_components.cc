// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/strong_components.h"

#include <algorithm>

namespace ravel {
namespace {

class Components {
 public:
  Components(std::size_t count, const std::function<void(unsigned, std::vector<unsigned>&)>& neighbours)
      : neighbours_(neighbours), number_(count, 0), low_(count, 0), on_stack_(count, 0) {}

  [[nodiscard]] bool seen(unsigned node) const { return number_[node] != 0; }
  void search(unsigned start);
  std::vector<std::vector<unsigned>> found;

 private:
  struct Frame {
    unsigned node;
    std::vector<unsigned> next;
    std::size_t position;
  };
  void enter(unsigned node);
  void leave();

  const std::function<void(unsigned, std::vector<unsigned>&)>& neighbours_;
  std::vector<unsigned> number_;
  std::vector<unsigned> low_;
  std::vector<char> on_stack_;
  std::vector<unsigned> stack_;
  std::vector<Frame> frames_;
  unsigned counter_ = 0;
};

void Components::enter(unsigned node) {
  number_[node] = low_[node] = ++counter_;
  on_stack_[node] = 1;
  stack_.push_back(node);
  frames_.push_back({node, {}, 0});
  neighbours_(node, frames_.back().next);
}

void Components::leave() {
  const unsigned node = frames_.back().node;
  frames_.pop_back();
  if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
  if (low_[node] != number_[node]) return;
  found.emplace_back();
  for (bool last = false; !last;) {
    last = stack_.back() == node;
    on_stack_[stack_.back()] = 0;
    found.back().push_back(stack_.back());
    stack_.pop_back();
  }
}

void Components::search(unsigned start) {
  enter(start);
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.position == frame.next.size()) {
      leave();
      continue;
    }
    const unsigned other = frame.next[frame.position++];
    if (number_[other] == 0) {
      enter(other);
    } else if (on_stack_[other] != 0) {
      low_[frame.node] = std::min(low_[frame.node], number_[other]);
    }
  }
}

}  // namespace

std::vector<std::vector<unsigned>> strong_components(
    std::size_t count, const std::function<bool(unsigned)>& wanted,
    const std::function<void(unsigned, std::vector<unsigned>&)>& neighbours) {
  Components components(count, neighbours);
  for (unsigned node = 0; node < count; ++node) {
    if (!components.seen(node) && wanted(node)) components.search(node);
  }
  return std::move(components.found);
}

}  // namespace ravel
