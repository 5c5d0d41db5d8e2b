// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Predictor: prediction.h for one operation. The state of the object it acts on is computed from the selected steps, by
// the rules of semantics/; what these answer becomes the prediction. One file per sort of object:
// prediction.cc (threads, the process), predict_memory.cc, predict_locks.cc, predict_waits.cc,
// predict_messages.cc.
#pragma once

#include <cstdint>

#include "explore/prediction.h"
#include "semantics/answer.h"
#include "semantics/robust.h"

namespace ravel {

class Predictor {
 public:
  Predictor(const Selection& past, const Step& next);

  [[nodiscard]] Prediction run();
  // Nothing is known but whose turn it would be.
  [[nodiscard]] static Prediction guess(const Step& next);

 private:
  // The selected steps that act there, and those that act at several places, in order.
  template <class Visit>
  void replay(Spot where, Visit visit) const {
    steps_.index().forward(where, [&](std::uint32_t i) {
      if (past_.has(i)) visit(i, steps_[i].act.op);
    });
  }

  void enable() { result_.enabled = Enabled::kYes; }
  void enable(bool fails) {
    enable();
    set(kFailed, fails);
  }
  void leave_open() {
    result_.open = true;
    set(kFailed, false);
  }
  void set(std::uint8_t bit, bool on) {
    std::uint8_t& bits = result_.act.op.bits;
    bits = static_cast<std::uint8_t>(on ? bits | bit : bits & ~bit);
  }
  // The time-out of the operation can come now.
  [[nodiscard]] bool gives_up() const { return timed_out_ || (timed_ && steps_.adversarial()); }
  // It would have to wait. A timed one may give up instead.
  void block(std::uint32_t blocker);
  // What semantics/ says, unless it would have to wait.
  void follow(const Answer& answer, std::uint32_t blocker);

  void dispatch();
  void lifecycle();
  void process_exit();
  void outside();

  void memory();
  [[nodiscard]] bool byte_at(std::uint64_t place, std::uint64_t& byte) const;
  // The value of the bytes the operation looks at.
  [[nodiscard]] bool value(std::uint64_t place, std::uint32_t size, std::uint64_t& value) const;
  [[nodiscard]] bool is_followed(std::uint64_t place, std::uint32_t size) const;
  void look_for_spinning();
  // How often its thread has just found the same there, and what that was.
  std::uint32_t times_there(std::uint64_t& seen) const;
  static constexpr std::uint32_t kEqualReads = 3;

  void mutex();
  // The mutex behind the selected steps, and the step since which it is held.
  RobustState mutex_at(std::uint64_t place, std::uint32_t& since) const;
  void rwlock();
  [[nodiscard]] bool waits_in_queue(std::uint32_t step) const;
  [[nodiscard]] bool comes_to_wait() const;
  void queue_writer(bool free);
  [[nodiscard]] bool given_back(std::uint32_t step) const;

  void condvar();
  void reacquire();
  void semaphore();
  void barrier();
  void once();
  void futex();

  void meeting();
  void select();
  void reply();
  void queue();
  void parcel();
  void phase();

  const Selection& past_;
  const Steps& steps_;
  const Step& next_;
  const OperationView op_;
  bool timed_;
  bool timed_out_ = false;
  Prediction result_;
};

}  // namespace ravel
