// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/facts_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ravel {

Result<std::shared_ptr<const FactsMemory>> FactsMemory::create(std::string_view table) {
  const int fd = memfd_create("ravel-facts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return internal_error("cannot make memory for the facts", std::strerror(errno));
  const std::shared_ptr<const FactsMemory> memory(new FactsMemory(fd, table.size()));
  for (std::size_t done = 0; done < table.size();) {
    const ssize_t wrote = write(fd, table.data() + done, table.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return internal_error("cannot write the facts into memory", std::strerror(errno));
    done += static_cast<std::size_t>(wrote);
  }
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  if (fcntl(fd, F_ADD_SEALS, kSeals) != 0) return internal_error("cannot seal the facts", std::strerror(errno));
  return memory;
}

FactsMemory::~FactsMemory() {
  close(fd_);
}

}  // namespace ravel
