// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "isolate/private_tmp.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

using rt::raw_syscall;

constexpr char kName[] = "run";
constexpr int kMaxDepth = 64;

long number(const char* text) {
  return reinterpret_cast<long>(text);
}

// Removes what is in the folder `fd`; other folders recursively.
void empty_folder(int fd, int depth) {
  alignas(8) char buffer[4096];
  for (bool removed = true; removed;) {  // entries vanish while they are listed: again, until nothing more goes
    removed = false;
    raw_syscall(SYS_lseek, fd, 0, SEEK_SET);
    for (long got; (got = raw_syscall(SYS_getdents64, fd, reinterpret_cast<long>(buffer), sizeof buffer)) > 0;) {
      for (long at = 0; at < got;) {
        const auto* entry = reinterpret_cast<const dirent64*>(buffer + at);
        at += entry->d_reclen;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (raw_syscall(SYS_unlinkat, fd, number(entry->d_name), 0) == 0) {
          removed = true;
          continue;
        }
        if (depth >= kMaxDepth) continue;
        raw_syscall(SYS_fchmodat, fd, number(entry->d_name), S_IRWXU);
        const long inner =
            raw_syscall(SYS_openat, fd, number(entry->d_name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0) continue;
        empty_folder(static_cast<int>(inner), depth + 1);
        raw_syscall(SYS_close, inner);
        removed = raw_syscall(SYS_unlinkat, fd, number(entry->d_name), AT_REMOVEDIR) == 0 || removed;
      }
    }
  }
}

}  // namespace

bool prepare_scratch(const char* base) {
  if (rt::g.private_tmp) drop_tmp_layer(base);
  const long folder = raw_syscall(SYS_openat, AT_FDCWD, number(base), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return false;
  empty_folder(static_cast<int>(folder), 0);
  const bool made = raw_syscall(SYS_mkdirat, folder, number(kName), S_IRWXU) == 0;
  raw_syscall(SYS_close, folder);
  if (rt::g.private_tmp && !add_tmp_layer(base)) return false;
  return made;
}

bool enter_scratch(const char* base) {
  char path[512];
  rt::TextBuffer out(path, sizeof path);
  out.text(base).text("/").text(kName);
  return raw_syscall(SYS_chdir, number(path)) == 0;
}

}  // namespace ravel
