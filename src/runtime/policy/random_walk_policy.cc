// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Random walk: every enabled thread is equally likely at every decision. Cheap and without parameters; good at bugs
// that need many switches anywhere, hopeless where one thread has to stand still for k steps of another: (1/2)^k.
#include "base/random.h"
#include "runtime/policy/policies.h"

namespace ravel {

namespace {

class RandomWalk final : public Policy {
 public:
  void begin(const PolicySpec& spec) override { random_ = Random(spec.seed); }
  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    return static_cast<std::size_t>(random_.below(ready.operations.size()));
  }
  [[nodiscard]] bool watches() const override { return false; }
  [[nodiscard]] bool is_blind() const override { return true; }

 private:
  Random random_{0};
};

constinit RandomWalk random_walk;

}  // namespace

Policy& random_walk_policy() {
  return random_walk;
}

}  // namespace ravel
