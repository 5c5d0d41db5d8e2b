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
  std::uint64_t below;  // distance of the block below the thread pointer; 0: found through the module's number
  std::size_t module;
  const void* initial;
  std::size_t file_bytes;
  std::size_t memory_bytes;
};
constexpr unsigned kMaxImages = 64;
Image images[kMaxImages];
unsigned image_count = 0;
unsigned linked_images = 0;
std::uint64_t lowest = 4096;
void (*call_tls_dtors)() = nullptr;

bool is_listed(const dl_phdr_info& info) {
  for (unsigned i = 0; i < image_count; ++i) {
    if (images[i].module == info.dlpi_tls_modid) return true;
  }
  return false;
}

// The x86-64 ABI: the second word at the thread pointer leads to the blocks of all modules, two words each; the first
// entry holds their number.
unsigned char* block_of(std::uint64_t thread_pointer, const Image& image) {
  if (image.below != 0) return reinterpret_cast<unsigned char*>(thread_pointer - image.below);
  struct Entry {
    std::uintptr_t block;
    void* to_free;
  };
  const Entry* table = *reinterpret_cast<Entry* const*>(thread_pointer + 8);
  if (image.module > table[-1].block) return nullptr;
  const std::uintptr_t block = table[image.module].block;
  return block == ~std::uintptr_t{0} ? nullptr : reinterpret_cast<unsigned char*>(block);  // not yet made
}

int add_image(dl_phdr_info* info, std::size_t, void* late) {
  if (late != nullptr ? info->dlpi_tls_modid == 0 || is_listed(*info) : info->dlpi_tls_data == nullptr) return 0;
  std::uint64_t below = read_fs_base() - reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
  if (info->dlpi_tls_data == nullptr || below > (std::uint64_t{1} << 20)) below = 0;  // not static
  if (below == 0 && late == nullptr) return 0;
  if (below > lowest && late == nullptr) lowest = below;
  const char* path = info->dlpi_name;
  if (strstr(path, "libc.so") != nullptr || strstr(path, "ld-linux") != nullptr ||
      strstr(path, "libravel_rt") != nullptr)
    return 0;
  for (int i = 0; i < info->dlpi_phnum && image_count < kMaxImages; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_TLS) continue;
    images[image_count++] = {below, info->dlpi_tls_modid,
                             reinterpret_cast<const void*>(info->dlpi_addr + segment.p_vaddr), segment.p_filesz,
                             segment.p_memsz};
  }
  return 0;
}

}  // namespace

void list_tls_images() {
  image_count = 0;
  dl_iterate_phdr(add_image, nullptr);
  linked_images = image_count;
  call_tls_dtors = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "__call_tls_dtors"));
}

void list_loaded_tls_images() {
  // Modules that are gone have given their numbers back.
  image_count = linked_images;
  bool late = true;
  dl_iterate_phdr(add_image, &late);
}

void reset_tls(std::uint64_t thread_pointer) {
  for (unsigned i = 0; i < image_count; ++i) {
    unsigned char* block = block_of(thread_pointer, images[i]);
    if (block == nullptr) continue;
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
