// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/checkpoint.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "base/hash.h"
#include "model/exit_code.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

std::string line_of(const char* text, std::size_t room) {
  return printable_line(std::string(text, strnlen(text, room)));
}

// What belonged to the processes that are gone.
void forget_processes(SharedBlock& block) {
  new (&block.control) Control{};
  block.control.worker_killed.store(1);  // the execution in hand did not end its worker
  block.progress.done.store(0);
  block.progress.complete.store(0);
  block.progress.promise_kept.store(0);
  IsolationState& isolation = block.isolation;
  isolation.mode.store(Isolation::kAuto);
  isolation.inside.store(0);
  isolation.deaths.store(0);
  isolation.spoilt.store(0);
  block.campaign.resumed = 1;
}

// The disk has become full between two looks: what is in the file is not lost, and the tool ends with a word.
void on_full_disk(int) {
  constexpr char kLine[] = "ravel: no space left for the checkpoint; free some and go on with --resume\n";
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, kLine, sizeof kLine - 1);
  _exit(kExitUsage);
}

Result<void> check_room(const std::string& path) {
  const std::uint64_t room = free_bytes(path);
  if (room < kLeastFreeToStart) {
    return usage_error("no space for a checkpoint", path,
                       fmt::format("{} MiB are free, at least {} are needed", room >> 20, kLeastFreeToStart >> 20));
  }
  signal(SIGBUS, on_full_disk);
  return {};
}

}  // namespace

std::uint64_t free_bytes(const std::string& path) {
  struct statvfs about {};
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (statvfs(path.c_str(), &about) != 0 && statvfs(folder.c_str(), &about) != 0) return ~std::uint64_t{0};
  return std::uint64_t{about.f_bavail} * about.f_frsize;
}

std::string checkpoint_path(const std::string& path, std::uint32_t shard) {
  return shard == 0 ? path : fmt::format("{}.{}", path, shard);
}

Result<TreeMemory> open_tree(const CheckpointOptions& options, std::uint64_t executions) {
  return TreeMemory::create(options.path.empty() ? "" : options.path + ".tree", options.resume, executions);
}

Result<SharedMemory> open_block(const CheckpointOptions& options, const std::string& program,
                                const std::string& strategy, std::uint32_t shard, std::uint32_t jobs) {
  if (options.path.empty()) return SharedMemory::create();
  const std::string path = checkpoint_path(options.path, shard);
  const std::uint64_t campaign = hash_bytes(1, options.campaign);
  if (auto room = check_room(path); !room) return tl::make_unexpected(room.error());
  auto memory = options.resume ? SharedMemory::open_file(path) : SharedMemory::create_file(path);
  if (!memory) return memory;
  CheckpointMark& mark = memory->block().checkpoint;
  if (!options.resume) {
    new (&mark) CheckpointMark{};
    mark.campaign = campaign;
    mark.jobs = jobs;
    mark.shard = shard;
    program.copy(mark.program, sizeof mark.program - 1);
    strategy.copy(mark.strategy, sizeof mark.strategy - 1);
    return memory;
  }
  const std::string theirs = line_of(mark.strategy, sizeof mark.strategy);
  if (theirs != strategy) return usage_error("the checkpoint was written by another strategy", path, theirs);
  if (mark.jobs != jobs || mark.shard != shard) {
    return usage_error("the checkpoint was written with another number of processes", path,
                       fmt::format("--jobs {}", mark.jobs));
  }
  if (mark.campaign != campaign) {
    return usage_error("the checkpoint belongs to another campaign", path,
                       fmt::format("program {}: program, arguments and options that decide what is explored must be "
                                   "those of the first run",
                                   line_of(mark.program, sizeof mark.program)));
  }
  forget_processes(memory->block());
  return memory;
}

}  // namespace ravel
