// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The call stack of one virtual thread, kept by the func_entry / func_exit call-outs. Pushing is two stores; the node
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
    root_ = root;
  }
  void push(std::uintptr_t caller, std::uintptr_t frame) {
    drop_below(frame + 1);
    if (depth_ < kShadowDepth) {
      frames_[depth_].caller = caller;
      frames_[depth_].frame = frame;
    }
    ++depth_;
  }
  void pop(std::uintptr_t frame) {
    drop_below(frame);
    if (depth_ == 0) return;  // a frame entered before control began
    --depth_;
    if (known_ > depth_) known_ = depth_;
  }
  // The context node of the current call stack.
  ContextId context() {
    if (known_ != depth_) return look_up();
    return known_ == 0 ? root_ : frames_[known_ - 1].node;
  }

 private:
  // Together, so that a shallow stack touches one page.
  struct Frame {
    std::uintptr_t caller;
    std::uintptr_t frame;
    ContextId node;
  };

  ContextId look_up();
  // Frames that a longjmp has left never told of their end: stacks grow down, so whatever lies lower is gone.
  void drop_below(std::uintptr_t frame) {
    if (depth_ == 0 || frames_[(depth_ < kShadowDepth ? depth_ : kShadowDepth) - 1].frame >= frame) return;
    if (depth_ > kShadowDepth) depth_ = kShadowDepth;
    while (depth_ != 0 && frames_[depth_ - 1].frame < frame) --depth_;
    if (known_ > depth_) known_ = depth_;
  }
  std::uint32_t depth_ = 0;
  std::uint32_t known_ = 0;  // nodes of frames_[0..known_) are valid
  ContextId root_ = 0;
  Frame frames_[kShadowDepth];
};

}  // namespace ravel::rt
