// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/own_campaign.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <new>
#include <string_view>

#include "isolate/campaign_server.h"
#include "runtime/fiber/carrier.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

using rt::raw_syscall;
using rt::TextBuffer;

bool carriers_ready = false;

SharedBlock* make_block() {
  const long place =
      raw_syscall(SYS_mmap, static_cast<long>(kSharedAddress), sizeof(SharedBlock), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (place != static_cast<long>(kSharedAddress)) return nullptr;
  // Zero but for these, as the driver does it.
  auto* block = reinterpret_cast<SharedBlock*>(place);
  new (&block->campaign) Campaign{};
  new (&block->plan) PlanSpec{};
  block->context_count.store(1, std::memory_order_relaxed);
  return block;
}

// The three standard streams of the workers: nothing to read, output kept for the report.
struct Streams {
  int fds[3] = {-1, -1, -1};
  Streams() {
    fds[0] =
        static_cast<int>(raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/dev/null"), O_RDONLY | O_CLOEXEC));
    for (int i = 1; i < 3; ++i) {
      fds[i] = static_cast<int>(raw_syscall(SYS_memfd_create, reinterpret_cast<long>("ravel-output"), MFD_CLOEXEC));
      raw_syscall(SYS_fcntl, fds[i], F_SETFL, O_APPEND);
    }
  }
  ~Streams() {
    for (const int fd : fds) raw_syscall(SYS_close, fd);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  void tail(char* text, std::size_t room) const {
    const long size = raw_syscall(SYS_lseek, fds[2], 0, SEEK_END);
    const long most = static_cast<long>(room) - 1;
    const long got =
        raw_syscall(SYS_pread64, fds[2], reinterpret_cast<long>(text), most, size > most ? size - most : 0);
    text[got > 0 ? got : 0] = 0;
  }
};

template <class Table>
bool find_name(const Table& table, std::string_view name, std::uint32_t& index) {
  index = 0;
  for (const std::string_view known : table) {
    if (known == name) return true;
    ++index;
  }
  return false;
}

bool read_options(const ravel_explore_request& request, Campaign& campaign, TextBuffer& error) {
  campaign.mode = RunMode::kExplore;
  strncpy(campaign.strategy, request.strategy, sizeof campaign.strategy - 1);
  campaign.seed = request.seed;
  campaign.iterations = request.iterations;
  campaign.base.max_steps = request.max_steps;
  campaign.base.max_faults = static_cast<std::uint32_t>(request.max_faults);
  std::uint32_t index = 0;
  if (!find_name(kPointsNames, request.points, index)) {
    error.text("unknown points: ").text(request.points);
    return false;
  }
  campaign.base.points = static_cast<PointsMode>(index);
  std::string_view rest = request.faults;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (!find_name(kFaultNames, name, index)) {
      error.text("unknown fault in: ").text(request.faults);
      return false;
    }
    campaign.base.faults |= 1u << index;
    rest = name.size() == rest.size() ? std::string_view{} : rest.substr(name.size() + 1);
  }
  return true;
}

// OS threads of this process that are not carriers.
std::uint32_t foreign_threads() {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/task"), O_RDONLY | O_DIRECTORY);
  if (fd < 0) return 1;
  std::uint32_t entries = 0;
  alignas(8) char buffer[4096];
  for (;;) {
    const long bytes = raw_syscall(SYS_getdents64, fd, reinterpret_cast<long>(buffer), sizeof buffer);
    if (bytes <= 0) break;
    for (long at = 0; at < bytes;) {
      std::uint16_t length;  // of linux_dirent64: inode, offset, length, type, name
      memcpy(&length, buffer + at + 16, sizeof length);
      if (buffer[at + 19] != '.') ++entries;
      at += length;
    }
  }
  raw_syscall(SYS_close, fd);
  return entries - rt::carrier_threads();
}

const FindingSeed* worst_finding(const SharedBlock& block) {
  const std::uint32_t count = block.progress.findings.load(std::memory_order_acquire);
  const FindingSeed* race = nullptr;
  for (std::uint32_t i = 0; i < count && i < kMaxFindings; ++i) {
    if (block.findings[i].kind != OutcomeKind::kDataRace) return &block.findings[i];
    if (race == nullptr) race = &block.findings[i];
  }
  return race;
}

// The finding's plan becomes the block's, and the engine's memory is emptied for a campaign of one replay.
void set_up_replay(SharedBlock& block, const FindingSeed& seed) {
  memcpy(block.prefix, block.arena + seed.segments_offset, sizeof(Segment) * seed.segments);
  memcpy(block.racy, block.arena + seed.racy_offset, sizeof(LocationId) * seed.plan.racy_locations);
  block.plan = seed.plan;
  block.campaign.mode = RunMode::kReplay;
  block.campaign.repeat = 1;
  block.control.stop.store(0);
  memset(static_cast<void*>(&block.progress), 0, sizeof block.progress);
  raw_syscall(SYS_madvise, reinterpret_cast<long>(block.arena), kArenaBytes, MADV_REMOVE);
}

void name_place(const SharedBlock& block, LocationId location, TextBuffer& out) {
  if (location == 0 || module_slot(location) >= kMaxModules) return;
  const ModuleRecord& module = block.modules[module_slot(location)];
  Dl_info info = {};
  const auto address = module.base + module_offset(location) - 1;
  if (dladdr(reinterpret_cast<void*>(address), &info) != 0 && info.dli_sname != nullptr) out.text(info.dli_sname);
}

void describe(const SharedBlock& block, OutcomeKind kind, ravel_explore_answer& answer) {
  const ExecutionResult& result = block.result;
  TextBuffer(answer.kind, sizeof answer.kind).text(outcome_name(kind).data());
  TextBuffer message(answer.message, sizeof answer.message);
  TextBuffer place(answer.place, sizeof answer.place);
  if (kind == OutcomeKind::kDataRace) {
    const RaceRecord& race = result.race_table[0];
    message.text("between threads ").decimal(race.first.thread).text(" and ").decimal(race.second.thread);
    name_place(block, race.second.location, place);
  } else {
    message.text(result.message);
    name_place(block, result.location, place);
  }
  answer.switches = result.switches;
  answer.failed = 1;
}

void run(SharedBlock& block, const ravel_explore_request& request, rt::Body& body, ravel_explore_answer& answer) {
  TextBuffer error(answer.error, sizeof answer.error);
  if (!read_options(request, block.campaign, error)) return;
  rt::look_around();
  rt::prepare_main_slot();
  if (!carriers_ready) rt::prepare_carriers(rt::kPreparedCarriers);
  carriers_ready = true;
  if (foreign_threads() != 1) {
    error.text("explore() was called while other threads of the program run");
    return;
  }
  fflush_unlocked(stdout);
  const Streams streams;
  const rt::ExecutionStart start = {rt::run_body_apart, &body};
  serve_campaign(block, start, {request.milliseconds, streams.fds});
  const Progress& progress = block.progress;
  answer.explored = 1;
  answer.executions = progress.executions.load();
  answer.distinct = progress.distinct.load();
  answer.complete = progress.complete.load();
  const FindingSeed* found = worst_finding(block);
  if (block.control.error == 0 && found != nullptr) {
    const OutcomeKind kind = found->kind;
    answer.failing_execution = found->execution;
    set_up_replay(block, *found);
    serve_campaign(block, start, {0, streams.fds});
    const bool again = kind == OutcomeKind::kDataRace ? block.result.races != 0 : block.result.outcome == kind;
    if (again) {
      describe(block, kind, answer);
      streams.tail(answer.output, sizeof answer.output);
    } else {
      error.text("a failing execution could not be reproduced: the body is not deterministic (")
          .text(outcome_name(kind).data())
          .text(", then ")
          .text(outcome_name(block.result.outcome).data())
          .text(")");
    }
  }
  if (block.control.error != 0) error.text(block.control.error_text);
}

}  // namespace

void explore_alone(const ravel_explore_request& request, rt::Body& body, ravel_explore_answer& answer) {
  rt::g.block = make_block();
  if (rt::g.block == nullptr) {
    TextBuffer(answer.error, sizeof answer.error).text("no address space for a campaign");
    return;
  }
  run(*rt::g.block, request, body, answer);
  raw_syscall(SYS_munmap, static_cast<long>(kSharedAddress), sizeof(SharedBlock));
  rt::g.block = nullptr;
}

}  // namespace ravel
