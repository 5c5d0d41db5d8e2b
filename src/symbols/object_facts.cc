// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "symbols/object_facts.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

namespace ravel {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;
constexpr std::string_view kListSection = ".ravel.uncontrolled";

std::string contents_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes > kMostBytes) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// The n-th record of a table in the file; files may be cut short or made to confuse.
template <class Record>
std::optional<Record> record_at(std::string_view file, std::uint64_t table, std::uint64_t n, std::uint64_t each) {
  if (each < sizeof(Record) || n > file.size() / each || table > file.size()) return std::nullopt;
  const std::uint64_t at = table + n * each;
  if (at > file.size() || file.size() - at < sizeof(Record)) return std::nullopt;
  Record record;
  std::memcpy(&record, file.data() + at, sizeof record);
  return record;
}

std::string_view part(std::string_view file, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > file.size()) return {};
  return file.substr(offset, bytes);
}

// F0, perhaps a prefix for wide registers, then cmpxchg or xadd with memory: too long to occur by chance.
bool has_locked_instruction(std::string_view code) {
  for (std::size_t i = code.find('\xf0'); i != std::string_view::npos; i = code.find('\xf0', i + 1)) {
    std::string_view rest = code.substr(i + 1, 4);
    if (!rest.empty() && (static_cast<unsigned char>(rest[0]) & 0xf0) == 0x40) rest.remove_prefix(1);
    if (rest.size() < 3 || rest[0] != '\x0f') continue;
    const bool operation = rest[1] == '\xb0' || rest[1] == '\xb1' || rest[1] == '\xc0' || rest[1] == '\xc1';
    if (operation && (static_cast<unsigned char>(rest[2]) >> 6) != 3) return true;
  }
  return false;
}

// The functions that a table of dynamic symbols defines.
void add_exports(std::string_view file, const Elf64_Shdr& table, std::string_view names,
                 std::vector<std::string>& out) {
  for (std::uint64_t i = 0; table.sh_entsize != 0 && i < table.sh_size / table.sh_entsize; ++i) {
    const auto symbol = record_at<Elf64_Sym>(file, table.sh_offset, i, table.sh_entsize);
    if (!symbol) return;
    if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) continue;
    const std::string_view name = part(names, symbol->st_name, names.size());
    out.emplace_back(name.substr(0, name.find('\0')));
  }
}

std::vector<std::string> exports_of(std::string_view file, const Elf64_Ehdr& header) {
  std::vector<std::string> out;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = record_at<Elf64_Shdr>(file, header.e_shoff, i, header.e_shentsize);
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    const auto names = record_at<Elf64_Shdr>(file, header.e_shoff, section->sh_link, header.e_shentsize);
    if (names) add_exports(file, *section, part(file, names->sh_offset, names->sh_size), out);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> strings_in(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find('\0'));
    if (!one.empty()) out.emplace_back(one);
    list.remove_prefix(std::min(one.size() + 1, list.size()));
  }
  return out;
}

}  // namespace

ObjectFacts object_facts(const std::string& path) {
  ObjectFacts facts;
  const std::string text = contents_of(path);
  const std::string_view file = text;
  const auto header = record_at<Elf64_Ehdr>(file, 0, 0, sizeof(Elf64_Ehdr));
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_machine != EM_X86_64) return facts;
  facts.instrumented = file.find(std::string_view("\0__tsan_func_entry", 18)) != std::string_view::npos;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto segment = record_at<Elf64_Phdr>(file, header->e_phoff, i, header->e_phentsize);
    if (!segment || segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    facts.has_atomics = facts.has_atomics || has_locked_instruction(part(file, segment->p_offset, segment->p_filesz));
  }
  if (facts.has_atomics && !facts.instrumented) facts.exports = exports_of(file, *header);
  const auto names = record_at<Elf64_Shdr>(file, header->e_shoff, header->e_shstrndx, header->e_shentsize);
  for (unsigned i = 0; names && i < header->e_shnum; ++i) {
    const auto section = record_at<Elf64_Shdr>(file, header->e_shoff, i, header->e_shentsize);
    if (!section || section->sh_type != SHT_PROGBITS) continue;
    const std::string_view name = part(part(file, names->sh_offset, names->sh_size), section->sh_name, 64);
    if (name.substr(0, name.find('\0')) != kListSection) continue;
    facts.uncontrolled = strings_in(part(file, section->sh_offset, section->sh_size));
  }
  return facts;
}

}  // namespace ravel
