// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/channel.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/large_table.h"
#include "model/tables.h"
#include "runtime/fiber/home.h"
#include "runtime/platform/raw.h"
#include "runtime/record/objects.h"

namespace ravel::rt {

namespace {

struct Inode {
  std::uint64_t device;
  std::uint64_t number;
  std::uint32_t ordinal;  // 0: free
  bool own;
};
constexpr std::uint32_t kInodes = 4096;
RAVEL_LARGE_TABLE Inode inodes[kInodes];
std::uint32_t next_ordinal = kFirstPipeChannel;
bool outside = false;

struct Inherited {
  std::uint64_t device;
  std::uint64_t number;
};
Inherited inherited[3];
bool inherited_known = false;

bool look_at(int descriptor, struct stat& status) {
  return raw_syscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) == 0;
}

void look_at_inherited() {
  if (inherited_known) return;
  inherited_known = true;
  for (int i = 0; i < 3; ++i) {
    struct stat status = {};
    if (look_at(i, status)) inherited[i] = {status.st_dev, status.st_ino};
  }
}

bool is_inherited(const struct stat& status) {
  look_at_inherited();
  for (const Inherited& one : inherited) {
    if (one.number != 0 && one.device == status.st_dev && one.number == status.st_ino) return true;
  }
  return false;
}

Inode* inode_of(const struct stat& status) {
  auto slot = static_cast<std::uint32_t>((status.st_ino * 0x9e3779b97f4a7c15ull) >> 32) % kInodes;
  for (std::uint32_t probes = 0; probes < kInodes; ++probes) {
    Inode& inode = inodes[slot];
    if (inode.number == 0) {
      inode = {status.st_dev, status.st_ino, 0, false};
      return &inode;
    }
    if (inode.device == status.st_dev && inode.number == status.st_ino) return &inode;
    slot = (slot + 1) % kInodes;
  }
  return nullptr;
}

bool has_children() {
  siginfo_t info;
  return raw_syscall(SYS_waitid, P_ALL, 0, reinterpret_cast<long>(&info), WEXITED | WNOHANG | WNOWAIT, 0) != -ECHILD;
}

}  // namespace

Channel channel_of(int descriptor) {
  struct stat status = {};
  if (in_child_of_vfork() || !look_at(descriptor, status)) return {};
  const auto type = status.st_mode & S_IFMT;
  if (type == S_IFREG && !is_inherited(status)) return {0, true, true};
  if (type == S_IFREG || type == S_IFDIR || type == S_IFBLK || type == S_IFCHR || is_inherited(status)) return {};
  if (type == 0) return {channel_address(kEventsChannel), outside_possible()};
  Inode* inode = inode_of(status);
  if (type == S_IFSOCK && (inode == nullptr || !inode->own)) return {channel_address(kSocketsChannel), true};
  if (inode == nullptr) return {channel_address(kEventsChannel), true};
  if (inode->ordinal == 0) inode->ordinal = next_ordinal++;
  const bool foreign = !inode->own || has_children();
  return {channel_address(inode->ordinal), foreign, false, foreign};
}

void note_own_pair(int first, int second) {
  look_at_inherited();
  struct stat status = {};
  std::uint32_t ordinal = 0;
  for (const int descriptor : {first, second}) {
    Inode* inode = look_at(descriptor, status) ? inode_of(status) : nullptr;
    if (inode == nullptr) continue;
    if (ordinal == 0) ordinal = inode->ordinal != 0 ? inode->ordinal : next_ordinal++;
    inode->ordinal = ordinal;
    inode->own = true;
  }
}

void note_outside() {
  outside = true;
}

bool outside_possible() {
  return outside || has_children();
}

}  // namespace ravel::rt
