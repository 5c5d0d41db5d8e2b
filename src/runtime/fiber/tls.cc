// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/fiber/tls.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "runtime/fiber/context_switch.h"

namespace ravel::rt {

namespace {

struct Image {
  std::uint64_t below;  // distance of the block below the thread pointer
  const void* initial;
  std::size_t file_bytes;
  std::size_t memory_bytes;
};
constexpr unsigned kMaxImages = 64;
Image images[kMaxImages];
unsigned image_count = 0;
std::uint64_t lowest = 4096;
void (*call_tls_dtors)() = nullptr;

int add_image(dl_phdr_info* info, std::size_t, void*) {
  if (info->dlpi_tls_data == nullptr) return 0;
  const std::uint64_t below = read_fs_base() - reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
  if (below > (std::uint64_t{1} << 20)) return 0;  // not static TLS
  if (below > lowest) lowest = below;
  const char* path = info->dlpi_name;
  if (strstr(path, "libc.so") != nullptr || strstr(path, "ld-linux") != nullptr ||
      strstr(path, "libravel_rt") != nullptr)
    return 0;
  for (int i = 0; i < info->dlpi_phnum && image_count < kMaxImages; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_TLS) continue;
    images[image_count++] = {below, reinterpret_cast<const void*>(info->dlpi_addr + segment.p_vaddr), segment.p_filesz,
                             segment.p_memsz};
  }
  return 0;
}

}  // namespace

void list_tls_images() {
  image_count = 0;
  dl_iterate_phdr(add_image, nullptr);
  call_tls_dtors = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "__call_tls_dtors"));
}

void reset_tls(std::uint64_t thread_pointer) {
  for (unsigned i = 0; i < image_count; ++i) {
    auto* block = reinterpret_cast<unsigned char*>(thread_pointer - images[i].below);
    memcpy(block, images[i].initial, images[i].file_bytes);
    memset(block + images[i].file_bytes, 0, images[i].memory_bytes - images[i].file_bytes);
  }
}

void run_tls_destructors() {
  if (call_tls_dtors != nullptr) call_tls_dtors();
}

std::uint64_t tls_bytes() {
  return lowest;
}

}  // namespace ravel::rt
