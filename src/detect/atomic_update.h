// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two mistakes with atomics that are free of data races:
//   update  a thread loads an atomic and later stores to it, and another thread has written in between: the update of
//           the other is lost; one read-modify-write was meant
//   ABA     a compare-exchange succeeds because the value is again what the thread had loaded, although other threads
//           have changed it there and back in between
// Both interleavings happened; whether they do harm is the program's to say.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

// Last look of each thread at each atomic, and what others have written since.
class AtomicLooks {
 public:
  AtomicLooks(std::pmr::memory_resource& memory, std::uint32_t max_places, std::uint32_t max_looks)
      : index_(memory, 1u << 10, max_places * 2), places_(memory, max_places), looks_(memory, max_looks) {}

  struct Look {
    RoleRecord load;
    RoleRecord first_write;  // by others since then
    RoleRecord last_write;
    std::uint32_t writes;
    ThreadIndex thread;
    std::uint32_t next;
  };

  void begin();
  // The look of the event's thread that is still open before the event, or nullptr. The event then counts.
  const Look* on_event(const Event& e, std::uint64_t sequence);
  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  PlaceMap index_;
  Pool<std::uint32_t> places_;  // first look
  Pool<Look> looks_;
  Look before_{};
  bool truncated_ = false;
};

class AtomicUpdate final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o0}: {2} of {t0} goes by what {0} saw, and undoes {1} of {t1} in between; one read-modify-write was meant",
  };
  AtomicUpdate(std::pmr::memory_resource& memory, const Services& services)
      : sink_(services.sink), looks_(memory, 1u << 16, 1u << 17) {}
  void begin(const TraceView&) override { looks_.begin(); }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return looks_.truncated(); }

 private:
  DetectionSink& sink_;
  AtomicLooks looks_;
};

class Aba final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o0}: {3} of {t0} succeeds with the value of {0}, but in between {t1} changed it ({1}) and {t2} back ({2})",
  };
  Aba(std::pmr::memory_resource& memory, const Services& services)
      : sink_(services.sink), looks_(memory, 1u << 16, 1u << 17) {}
  void begin(const TraceView&) override { looks_.begin(); }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return looks_.truncated(); }

 private:
  DetectionSink& sink_;
  AtomicLooks looks_;
};

}  // namespace ravel
