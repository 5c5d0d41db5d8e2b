// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/run_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kRunFormatVersion = 1;
constexpr std::size_t kMaxRunBytes = std::size_t{32} << 20;
constexpr int kMostRuns = 10'000;

OutcomeKind kind_of(const std::string& name) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(OutcomeKind::kCount); ++i) {
    if (kOutcomeNames[i] == name) return static_cast<OutcomeKind>(i);
  }
  return OutcomeKind::kNotRun;
}

RunFile from_json(const Json& json) {
  RunFile run;
  run.program = json.at("program").get<std::string>();
  run.arguments = json.at("arguments").get<std::vector<std::string>>();
  run.stdin_path = json.at("stdin").get<std::string>();
  run.build_id = json.at("build_id").get<std::string>();
  run.expect_exit = json.at("expect_exit").get<int>();
  run.target.kind = kind_of(json.at("kind").get<std::string>());
  run.target.message = json.at("message").get<std::string>();
  run.target.place = json.at("place").get<std::string>();
  run.target.sequence = json.at("sequence").get<std::string>();
  return run;
}

}  // namespace

Result<std::string> save_run(const RunFile& run, const std::string& folder) {
  const Json json = {{"ravel_run", kRunFormatVersion},
                     {"program", run.program},
                     {"arguments", run.arguments},
                     {"stdin", run.stdin_path},
                     {"build_id", run.build_id},
                     {"expect_exit", run.expect_exit},
                     {"kind", outcome_name(run.target.kind)},
                     {"message", run.target.message},
                     {"place", run.target.place},
                     {"sequence", run.target.sequence}};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string name = std::filesystem::path(run.program).filename().string();
  for (int i = 1; i < kMostRuns; ++i) {
    const std::string path = fmt::format("{}/{}-{}.run", folder, name, i);
    if (std::filesystem::exists(path, error)) continue;
    std::ofstream out(path, std::ios::binary);
    out << json.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
    if (out.flush()) return path;
    return usage_error("cannot write the run", path, "--output DIR names another folder");
  }
  return usage_error("too many saved runs", folder, "remove those that are not needed any more");
}

Result<RunFile> read_run(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return usage_error("cannot read the run", path, error.message());
  const auto not_a_run = [&] {
    return usage_error("not a run of free-running mode", path, "`ravel run --free' saves them");
  };
  if (size > kMaxRunBytes) return not_a_run();
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const Json json = Json::parse(text.str(), nullptr, false);
  if (!json.is_object() || json.value("ravel_run", Json(0)) != kRunFormatVersion) return not_a_run();
  RunFile run;
  try {
    run = from_json(json);
  } catch (const Json::exception&) {
    return not_a_run();
  }
  if (run.target.kind == OutcomeKind::kNotRun || run.program.empty()) return not_a_run();
  return run;
}

}  // namespace ravel
