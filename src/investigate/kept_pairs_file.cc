// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/kept_pairs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "base/hash.h"
#include "driver/plan_store.h"

namespace ravel {
namespace {

constexpr int kKeptPairsVersion = 1;

std::string text_of(const KeptAccess& access) {
  return fmt::format(" {:x} {:x} {}", access.thread, access.location.number(), op_name(access.kind));
}

template <class Names>
bool take_word(std::istream& in, const Names& names, std::size_t count, std::size_t& row) {
  std::string word;
  in >> word;
  for (row = 0; row < count; ++row) {
    if (names(row) == word) return true;
  }
  return false;
}

bool take_access(std::istream& in, KeptAccess& access) {
  std::uint32_t location = 0;
  std::size_t kind = 0;
  in >> std::hex >> access.thread >> location;
  const auto name = [](std::size_t row) { return op_name(static_cast<OpKind>(row)); };
  if (!take_word(in, name, static_cast<std::size_t>(OpKind::kCount), kind)) return false;
  access.location = location;
  access.kind = static_cast<OpKind>(kind);
  return !in.fail();
}

bool take_pair(const std::string& line, KeptPair& pair) {
  std::istringstream in(line);
  std::size_t verdict = 0;
  const auto name = [](std::size_t row) { return std::string_view(kPairVerdictNames[row]); };
  if (!take_word(in, name, std::size(kPairVerdictNames), verdict)) return false;
  pair.verdict = static_cast<PairVerdict>(verdict);
  return take_access(in, pair.first) && take_access(in, pair.second) && (in >> std::ws).eof();
}

std::string head_of(const std::string& build_id, const std::string& rows) {
  return fmt::format("ravel pairs {}\nbuild {}\nsum {:x}\n", kKeptPairsVersion, build_id, hash_bytes(0, rows));
}

tl::unexpected<Error> not_used(const char* why, const std::string& name) {
  return usage_error(std::string("pairs of earlier runs are not used: ") + why, name,
                     "a run that learns something writes it again");
}

}  // namespace

std::string kept_pairs_path(const std::string& facts) {
  const std::filesystem::path path(facts);
  return path.extension() == ".facts" ? std::filesystem::path(path).replace_extension(".pairs").string()
                                      : facts + ".pairs";
}

std::string kept_pairs_text(std::span<const KeptPair> pairs, const std::string& build_id) {
  std::set<std::string> lines;
  for (const KeptPair& pair : pairs) {
    lines.insert(fmt::format("{}{}{}\n", kPairVerdictNames[static_cast<std::size_t>(pair.verdict)], text_of(pair.first),
                             text_of(pair.second)));
  }
  std::string rows;
  for (const std::string& line : lines) rows += line;
  return head_of(build_id, rows) + rows;
}

Result<std::vector<KeptPair>> kept_pairs_from_text(const std::string& text, const std::string& build_id,
                                                   const std::string& name) {
  std::size_t rows = 0;
  for (int line = 0; line < 3 && rows != std::string::npos; ++line) {
    rows = text.find('\n', rows);
    rows = rows == std::string::npos ? rows : rows + 1;
  }
  if (rows == std::string::npos) return not_used("the file is damaged", name);
  const std::string head = head_of(build_id, text.substr(rows));
  if (text.compare(0, rows, head) != 0) {
    const std::string build = head.substr(0, head.find("sum "));
    return not_used(text.compare(0, build.size(), build) == 0 ? "the file is damaged" : "they are of another build",
                    name);
  }
  std::vector<KeptPair> pairs;
  std::istringstream in(text.substr(rows));
  for (std::string line; std::getline(in, line);) {
    KeptPair pair;
    if (!take_pair(line, pair) || pairs.size() == kMostKeptPairs) return not_used("the file is damaged", name);
    pairs.push_back(pair);
  }
  return pairs;
}

EarlierPairs read_kept_pairs(const std::string& path, const std::string& build_id) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto pairs = kept_pairs_from_text(text, build_id, path);
  if (!pairs) return {{}, pairs.error().line()};
  return {std::move(*pairs), {}};
}

std::string write_kept_pairs(const std::string& path, std::span<const KeptPair> pairs, const std::string& build_id) {
  if (pairs.empty()) return {};
  const auto written = save_beside(path, kept_pairs_text(pairs, build_id));
  return written ? std::string() : "pairs are not kept for later runs: " + written.error().line();
}

}  // namespace ravel
