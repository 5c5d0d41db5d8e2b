// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/avio.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {
namespace {

bool is_wait(const Event& e) {
  switch (e.kind) {
    case OpKind::kThreadJoin:
    case OpKind::kCondReacquire:
    case OpKind::kSemWait:
    case OpKind::kBarrierLeave:
    case OpKind::kFutexResume:
    case OpKind::kWakeUp:
    case OpKind::kYield:
    case OpKind::kIoWait:
      return true;
    default:
      return false;
  }
}

}  // namespace

Avio::Avio(std::pmr::memory_resource& memory, const Services& services)
    : sink_(services.sink),
      index_(memory, 1u << 10, kMaxCells * 2),
      cells_(memory, kMaxCells),
      locals_(memory, kMaxAccesses),
      waited_(memory, kDetectorThreads) {}

void Avio::begin(const TraceView&) {
  index_.clear();
  cells_.clear();
  locals_.clear();
  waited_.clear();
  truncated_ = false;
}

void Avio::on_event(const Event& e, const Moment& at) {
  const bool write = e.kind == OpKind::kWrite;
  if (!write && e.kind != OpKind::kRead) {
    if (is_wait(e) && e.thread < waited_.capacity()) {
      std::uint64_t* known = waited_.find(e.thread);
      if (known == nullptr) known = &waited_.insert(e.thread, 0);
      *known = at.sequence + 1;
    }
    return;
  }
  for_each_cell(e.offset, e.size, [&](std::uint32_t offset, std::uint8_t mask) {
    std::uint32_t* number = index_.claim((std::uint64_t{e.object} << 32) | offset);
    if (number != nullptr && *number == 0) *number = cells_.add(Cell{});
    if (number == nullptr || *number == 0) {
      truncated_ = true;
      return;
    }
    touch(cells_[*number], Access{e, at.sequence, mask}, write);
  });
}

void Avio::touch(Cell& cell, const Access& now, bool write) {
  const ThreadIndex thread = now.event.thread;
  std::uint32_t* link = &cell.locals;
  while (*link != 0 && locals_[*link].access.event.thread != thread) link = &locals_[*link].next;
  if (*link != 0) {
    Access& before = locals_[*link].access;
    check(before, now, cell, write);
    before = now;
  } else {
    const std::uint32_t added = locals_.add(Local{now, cell.locals});
    if (added == 0) truncated_ = true;
    if (added != 0) cell.locals = added;
  }
  Latest& latest = write ? cell.writes : cell.reads;
  if (latest.last.event.kind != OpKind::kNone && latest.last.event.thread != thread) latest.other = latest.last;
  latest.last = now;
}

void Avio::check(const Access& before, const Access& now, const Cell& cell, bool write) {
  if ((before.mask & now.mask) == 0) return;
  const std::uint64_t* waited = waited_.find(now.event.thread);
  if (waited != nullptr && *waited > before.sequence) return;
  const auto between = [&](const Access& access) {
    return access.event.kind != OpKind::kNone && access.event.thread != now.event.thread &&
           access.sequence > before.sequence && (access.mask & before.mask & now.mask) != 0;
  };
  const bool wrote = before.event.kind == OpKind::kWrite;
  const Access& remote_write = by_other(cell.writes, now.event.thread);
  const Access& remote_read = by_other(cell.reads, now.event.thread);
  if (wrote && write) {
    if (between(remote_read)) report(kWriteReadWrite, before, remote_read, now);
  } else if (between(remote_write)) {
    report(write ? kReadWriteWrite : wrote ? kWriteWriteRead : kReadWriteRead, before, remote_write, now);
  }
}

void Avio::report(Triple triple, const Access& before, const Access& between, const Access& now) {
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kAvio);
  found.variant = triple;
  found.key = hash_combine(detector_bit(DetectorId::kAvio), triple);
  found.roles = 3;
  const Access* roles[] = {&before, &between, &now};
  for (std::uint32_t i = 0; i < found.roles; ++i) {
    found.role[i] = {roles[i]->event, roles[i]->sequence};
    found.key = hash_combine(found.key, roles[i]->event.location);
  }
  sink_.on_detection(found);
}

}  // namespace ravel
