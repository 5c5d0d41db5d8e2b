// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/program_image.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>

#include "driver/layout.h"

namespace ravel {
namespace {

// The whole file, mapped; reads are by checked copies.
class MappedFile {
 public:
  explicit MappedFile(int fd, std::size_t size) : size_(size) {
    void* place = size == 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    data_ = place == MAP_FAILED ? nullptr : static_cast<const unsigned char*>(place);
    if (data_ == nullptr) size_ = 0;
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) munmap(const_cast<unsigned char*>(data_), size_);
  }

  template <class T>
  bool read(std::uint64_t offset, T& out) const {
    if (offset > size_ || size_ - offset < sizeof(T)) return false;
    std::memcpy(&out, data_ + offset, sizeof(T));
    return true;
  }
  [[nodiscard]] std::span<const unsigned char> bytes(std::uint64_t offset, std::uint64_t length) const {
    if (offset > size_ || size_ - offset < length) return {};
    return {data_ + offset, static_cast<std::size_t>(length)};
  }
  [[nodiscard]] std::string text(std::uint64_t offset, std::uint64_t limit = 4096) const {
    if (offset >= size_) return {};
    const std::size_t room = std::min<std::uint64_t>(size_ - offset, limit);
    const char* start = reinterpret_cast<const char*>(data_ + offset);
    return {start, strnlen(start, room)};
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  const unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

struct Segments {
  std::vector<Elf64_Phdr> all;

  // File offset of a virtual address, or ~0.
  [[nodiscard]] std::uint64_t file_offset(std::uint64_t address) const {
    for (const Elf64_Phdr& p : all) {
      if (p.p_type == PT_LOAD && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz) {
        return address - p.p_vaddr + p.p_offset;
      }
    }
    return ~std::uint64_t{0};
  }
};

void read_build_id(const MappedFile& file, const Elf64_Phdr& note, ProgramImage& image) {
  std::uint64_t at = note.p_offset;
  const std::uint64_t end = note.p_offset + std::min<std::uint64_t>(note.p_filesz, 1 << 16);
  while (at < end) {
    Elf64_Nhdr header;
    if (!file.read(at, header)) return;
    const std::uint64_t name = at + sizeof(header);
    const std::uint64_t description = name + ((std::uint64_t{header.n_namesz} + 3) & ~std::uint64_t{3});
    const std::uint64_t next = description + ((std::uint64_t{header.n_descsz} + 3) & ~std::uint64_t{3});
    if (header.n_type == NT_GNU_BUILD_ID && header.n_descsz <= 64 && file.text(name, 4) == "GNU") {
      for (unsigned char byte : file.bytes(description, header.n_descsz)) image.build_id += fmt::format("{:02x}", byte);
      return;
    }
    at = next;
  }
}

void read_dynamic(const MappedFile& file, const Segments& segments, const Elf64_Phdr& dynamic, ProgramImage& image) {
  image.dynamic = true;
  std::vector<std::uint64_t> names;
  std::uint64_t strings = 0;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.p_filesz; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    if (!file.read(dynamic.p_offset + at, entry) || entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
    if (entry.d_tag == DT_STRTAB) strings = segments.file_offset(entry.d_un.d_ptr);
  }
  for (std::uint64_t name : names) image.needed.push_back(file.text(strings + name));
}

void read_sections(const MappedFile& file, const Elf64_Ehdr& header, ProgramImage& image) {
  Elf64_Shdr names;
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return;
  if (!file.read(header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr), names)) return;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!file.read(header.e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr), section)) return;
    if (file.text(names.sh_offset + section.sh_name, 32) == ".debug_info") image.debug_info = true;
    if (section.sh_type != SHT_DYNSYM) continue;
    Elf64_Shdr strings;
    if (!file.read(header.e_shoff + std::uint64_t{section.sh_link} * sizeof(Elf64_Shdr), strings)) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!file.read(section.sh_offset + at, symbol)) break;
      const std::string name = file.text(strings.sh_offset + symbol.st_name, 64);
      if (symbol.st_shndx != SHN_UNDEF) {
        if (name == "__tsan_init") image.has_sanitizer = true;
        continue;
      }
      if (name.starts_with("__tsan_")) image.calls_sanitizer = true;
      if (name == "ravel_explore") image.calls_explore = true;
    }
  }
}

// For programs without a build id: their bytes name them.
std::string hash_of_file(const MappedFile& file) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char byte : file.bytes(0, file.size())) hash = (hash ^ byte) * 0x100000001b3ull;
  return fmt::format("file:{:016x}", hash);
}

}  // namespace

bool ProgramImage::needs(std::string_view library) const {
  return std::any_of(needed.begin(), needed.end(), [&](const std::string& entry) {
    const std::size_t slash = entry.rfind('/');
    const std::string_view name =
        slash == std::string::npos ? std::string_view(entry) : std::string_view(entry).substr(slash + 1);
    return name.substr(0, library.size()) == library;
  });
}

Result<std::string> find_program(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (name.empty()) return usage_error("no program given", "", "name one: ravel run ./program");
  const fs::path extension = fs::path(name).extension();
  const bool source = extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".c";
  if (source && access(name.c_str(), X_OK) != 0 && fs::is_regular_file(name, error)) {
    const std::string stem = fs::path(name).stem().string();
    return usage_error("a source file, not a program", name,
                       "ravel " + std::string(extension == ".c" ? "cc " : "c++ ") + name + " -o " + stem +
                           ", then ravel run ./" + stem);
  }
  if (name.find('/') != std::string::npos) {
    if (!fs::exists(name, error)) return usage_error("no such program", name, "build it with `ravel c++' first");
    return fs::absolute(name, error).lexically_normal().string();
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? std::string_view{} : std::string_view(path);
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const fs::path candidate = fs::path(std::string(rest.substr(0, colon))) / name;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error))
      return fs::absolute(candidate, error).string();
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return usage_error("no such program", name, fs::exists(name, error) ? "write ./" + name : "it is not in PATH");
}

Result<ProgramImage> read_program(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return usage_error("cannot read the program", path, std::strerror(errno));
  struct stat about {};
  fstat(fd, &about);
  MappedFile file(fd, S_ISREG(about.st_mode) ? static_cast<std::size_t>(about.st_size) : 0);
  close(fd);
  if (!S_ISREG(about.st_mode)) return usage_error("not a program", path, "it is not a regular file");

  Elf64_Ehdr header;
  if (!file.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return usage_error("not an ELF program", path, "scripts cannot be tested: name the program itself");
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    return usage_error("not a 64-bit x86 program", path, "Ravel runs x86-64 programs only");
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return usage_error("not an executable", path, "link it first");
  if (access(path.c_str(), X_OK) != 0) return usage_error("not executable", path, "chmod +x it, or name another file");

  ProgramImage image;
  image.path = path;
  image.setuid = (about.st_mode & (S_ISUID | S_ISGID)) != 0;
  image.position_independent = header.e_type == ET_DYN;
  image.link_base = ~std::uint64_t{0};
  Segments segments;
  if (header.e_phentsize == sizeof(Elf64_Phdr)) {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      if (!file.read(header.e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr), segment)) break;
      segments.all.push_back(segment);
      if (segment.p_type == PT_LOAD)
        image.link_base = std::min<std::uint64_t>(image.link_base, segment.p_vaddr & ~0xfffull);
    }
  }
  if (segments.all.empty()) return usage_error("damaged ELF program", path, "build it again");
  if (image.link_base == ~std::uint64_t{0}) image.link_base = 0;
  for (const Elf64_Phdr& segment : segments.all) {
    if (segment.p_type == PT_NOTE && image.build_id.empty()) read_build_id(file, segment, image);
    if (segment.p_type == PT_DYNAMIC) read_dynamic(file, segments, segment, image);
    if (segment.p_type == PT_INTERP) image.interpreter = file.text(segment.p_offset);
  }
  read_sections(file, header, image);
  if (image.build_id.empty()) image.build_id = hash_of_file(file);
  return image;
}

Result<ProgramImage> testable_program(const std::string& name) {
  auto path = find_program(name);
  if (!path) return tl::make_unexpected(path.error());
  auto image = read_program(*path);
  if (!image) return image;
  if (image->setuid)
    return usage_error("set-uid and set-gid programs are refused", *path, "remove the bit from a copy of it");
  if (image->interpreter.empty() || !image->dynamic) {
    return cannot_test("the program is linked statically", *path, "link it dynamically with `ravel c++'");
  }
  if (!image->needs(kRuntimeName)) {
    return cannot_test("the program is not instrumented (not linked with libravel_rt.so)", *path,
                       "build it with `ravel c++' or ravel_instrument(target)");
  }
  if (image->has_sanitizer || image->needs("libtsan")) {
    return cannot_test("the program is linked with the thread sanitizer's own runtime too", *path,
                       "leave -fsanitize=thread out of the link command");
  }
  return image;
}

}  // namespace ravel
