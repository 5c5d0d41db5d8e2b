// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The call stack of one virtual thread, kept by the func_entry / func_exit call-outs. Pushing is three stores; the node
// of the shared calling-context tree is looked up only when an event needs it, and remembered per depth.
#pragma once

#include <cstdint>

#include "model/tables.h"

namespace ravel::rt {

inline constexpr std::uint32_t kShadowDepth = 2048;  // deeper frames are counted, not remembered

class ShadowStack {
 public:
  void reset(ContextId root) {
    depth_ = 0;
    known_ = 0;
    floor_ = 0;
    frames_[0].node = root;
  }
  // `frame` is that of the call-out itself, `inside` its return address.
  void push(std::uintptr_t caller, std::uintptr_t frame, std::uintptr_t inside) {
    drop_below(frame + 1);
    if (depth_ < kShadowDepth) {
      Frame& entered = at(depth_);
      entered.caller = caller;
      entered.frame = frame;
      entered.inside = inside;
    }
    ++depth_;
  }
  // `returns_to` is the call-out's own return address. A function that ends with a jump to the call-out has left its
  // frame already: then its place looks like its caller's, but the return address is the one it was entered with.
  void pop(std::uintptr_t frame, std::uintptr_t returns_to) {
    const std::uint32_t before = depth_;
    drop_below(frame);
    if (depth_ != before && depth_ < kShadowDepth && at(depth_).caller == returns_to) return;
    if (depth_ == floor_) return;  // a frame entered before control began
    --depth_;
    if (known_ > depth_) known_ = depth_;
  }
  // Functions that were entered and not left.
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  // A signal handler begins, maybe on a stack of its own: addresses tell nothing about the frames of what it
  // interrupts.
  struct Interrupted {
    std::uint32_t depth;
    std::uint32_t floor;
  };
  Interrupted enter_handler() {
    const Interrupted before = {depth_, floor_};
    floor_ = depth_ < kShadowDepth ? depth_ : kShadowDepth;
    return before;
  }
  void leave_handler(Interrupted before) {
    depth_ = before.depth;
    if (known_ > depth_) known_ = depth_;
    floor_ = before.floor;
  }
  // By longjmp: what the handlers have called is gone.
  void leave_all_handlers() {
    if (floor_ == 0) return;
    if (depth_ > floor_) depth_ = floor_;
    if (known_ > depth_) known_ = depth_;
    floor_ = 0;
  }
  // The function whose frame an address on this stack lies in; none if it was entered before control began.
  struct Function {
    std::uintptr_t inside = 0;  // 0: none
    std::uintptr_t caller = 0;
    std::uintptr_t stack = 0;  // its stack pointer
    std::uintptr_t above = 0;  // that of the function around it; 0: none
  };
  // `top` is the stack's upper end: frames of handlers on other stacks do not count.
  [[nodiscard]] Function function_at(std::uintptr_t address, std::uintptr_t bottom, std::uintptr_t top) const {
    Function found;
    if (depth_ > kShadowDepth) return found;  // it may be one of those that are not remembered
    for (std::uint32_t i = depth_; i-- > 0;) {
      const std::uintptr_t stack = at(i).frame + kCallOutBytes;
      if (stack < bottom || stack > top) continue;
      if (stack > address) {
        found.above = stack;
        break;
      }
      found = {at(i).inside, at(i).caller, stack, 0};
    }
    return found;
  }
  // The stack pointer of the innermost function on that stack, as it was at its beginning; 0: not known.
  [[nodiscard]] std::uintptr_t innermost(std::uintptr_t bottom, std::uintptr_t top) const {
    if (depth_ == 0 || depth_ > kShadowDepth) return 0;
    const std::uintptr_t stack = at(depth_ - 1).frame + kCallOutBytes;
    return stack < bottom || stack > top ? 0 : stack;
  }
  // The node of no call at all: where the thread was created.
  [[nodiscard]] ContextId root() const { return frames_[0].node; }
  // The context node of the current call stack.
  ContextId context() { return context_is_known() ? known_context() : look_up(); }
  [[nodiscard]] bool context_is_known() const { return known_ == depth_; }
  [[nodiscard]] ContextId known_context() const { return frames_[known_].node; }

 private:
  static constexpr std::uintptr_t kCallOutBytes = 16;  // saved frame pointer and return address
  // Together, so that a shallow stack touches one page.
  struct Frame {
    std::uintptr_t caller;
    std::uintptr_t frame;
    std::uintptr_t inside;
    ContextId node;
  };

  // The n-th function that was entered.
  Frame& at(std::uint32_t n) { return frames_[n + 1]; }
  [[nodiscard]] const Frame& at(std::uint32_t n) const { return frames_[n + 1]; }
  ContextId look_up();
  // Frames that a longjmp has left never reported their end: stacks grow down, so whatever lies lower is gone.
  void drop_below(std::uintptr_t frame) {
    if (depth_ == floor_ || at((depth_ < kShadowDepth ? depth_ : kShadowDepth) - 1).frame >= frame) return;
    if (depth_ > kShadowDepth) depth_ = kShadowDepth;
    while (depth_ > floor_ && at(depth_ - 1).frame < frame) --depth_;
    if (known_ > depth_) known_ = depth_;
  }
  std::uint32_t depth_ = 0;
  std::uint32_t known_ = 0;         // nodes of frames_[0..known_] are valid
  std::uint32_t floor_ = 0;         // frames below are those of interrupted code
  Frame frames_[kShadowDepth + 1];  // the first is no function: its node is where the thread was created
};

}  // namespace ravel::rt
