// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/private_tmp.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>

#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr std::size_t kPathBytes = 512;
constexpr int kOpenToAll = 01777;

struct Path {
  char text[kPathBytes];
  Path(const char* base, const char* rest) { rt::TextBuffer(text, sizeof text).text(base).text(rest); }
};

long number(const char* text) {
  return reinterpret_cast<long>(text);
}

bool write_file(const char* path, const char* text) {
  const long file = raw_syscall(SYS_openat, AT_FDCWD, number(path), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const auto size = static_cast<long>(strlen(text));
  const bool written = raw_syscall(SYS_write, file, number(text), size) == size;
  raw_syscall(SYS_close, file);
  return written;
}

// The same user and group inside as outside.
bool map_identity(const char* path, long id) {
  char text[64];
  const auto same = static_cast<std::uint64_t>(id);
  rt::TextBuffer(text, sizeof text).decimal(same).text(" ").decimal(same).text(" 1\n");
  return write_file(path, text);
}

// An administrator needs a mount namespace only; anybody else a user namespace in which to be one.
bool enter_namespace() {
  if (raw_syscall(SYS_unshare, CLONE_NEWNS) == 0) return true;
  const long user = raw_syscall(SYS_geteuid);
  const long group = raw_syscall(SYS_getegid);
  if (raw_syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  const bool denied = write_file("/proc/self/setgroups", "deny");
  return map_identity("/proc/self/uid_map", user) && denied && map_identity("/proc/self/gid_map", group);
}

bool mount_overlay(const char* base, const char* more) {
  char options[4 * kPathBytes];
  rt::TextBuffer(options, sizeof options)
      .text("lowerdir=/tmp,upperdir=")
      .text(base)
      .text("/layer/upper,workdir=")
      .text(base)
      .text("/layer/work")
      .text(more);
  return raw_syscall(SYS_mount, number("ravel"), number("/tmp"), number("overlay"), 0, number(options)) == 0;
}

}  // namespace

void enter_private_tmp(const char* base) {
  // What separates the options of an overlay cannot be in a path.
  if (strpbrk(base, ",:\\") != nullptr || !enter_namespace()) return;
  // Nothing that is mounted here is seen outside.
  if (raw_syscall(SYS_mount, number("none"), number("/"), 0, MS_REC | MS_PRIVATE, 0) != 0) return;
  const Path layer(base, "/layer");
  raw_syscall(SYS_mkdirat, AT_FDCWD, number(layer.text), kOpenToAll);
  rt::g.private_tmp = add_tmp_layer(base);
  drop_tmp_layer(base);
}

void drop_tmp_layer(const char* base) {
  raw_syscall(SYS_chdir, number("/"));
  raw_syscall(SYS_umount2, number("/tmp"), MNT_DETACH);
  raw_syscall(SYS_umount2, number(Path(base, "/layer").text), MNT_DETACH);
}

bool add_tmp_layer(const char* base) {
  const Path layer(base, "/layer");
  const Path upper(base, "/layer/upper");
  const Path work(base, "/layer/work");
  raw_syscall(SYS_mkdirat, AT_FDCWD, number(layer.text), kOpenToAll);
  if (raw_syscall(SYS_mount, number("ravel"), number(layer.text), number("tmpfs"), MS_NOSUID | MS_NODEV, 0) != 0)
    return false;
  raw_syscall(SYS_mkdirat, AT_FDCWD, number(upper.text), kOpenToAll);
  raw_syscall(SYS_fchmodat, AT_FDCWD, number(upper.text), kOpenToAll);  // the mask took some of it
  raw_syscall(SYS_mkdirat, AT_FDCWD, number(work.text), kOpenToAll);
  return mount_overlay(base, ",userxattr") || mount_overlay(base, "");
}

}  // namespace ravel
