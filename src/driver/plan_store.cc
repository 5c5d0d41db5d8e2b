// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/plan_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/hash.h"
#include "model/execution.h"
#include "model/text/path_text.h"

namespace ravel {
namespace {

static_assert(kMaxPlanSegments == kMaxSegments && kMaxPlanRacy == kMaxRacyLocations && kMaxPlanThreads == kMaxThreads);

constexpr int kMaxNumber = 10'000;
constexpr int kMostAbsent = 100;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

Result<std::string> read_all(int fd, const std::string& name) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return usage_error("cannot read the plan", name, std::strerror(errno));
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kMaxPlanBytes) return usage_error("the plan is too long", name);
  }
}

std::string name_of_program(const std::string& path) {
  std::string name = base_name(path);
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (!plain) c = '_';
  }
  return name.empty() || name[0] == '.' ? "program" : name;
}

enum class Existing { kReplace, kKeep };

// Writes file `name` in `folder` as a whole: a reader never sees half a plan. Gives 0 or an error number: EEXIST where
// somebody else was quicker and his file is to be kept.
int put(int folder, const std::string& name, const std::string& text, Existing existing) {
  const std::string fresh = fmt::format(".{}.{}", name, getpid());
  unlinkat(folder, fresh.c_str(), 0);
  const Descriptor file(openat(folder, fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  bool good = file.get() >= 0 && write_all(file.get(), text);
  if (good && existing == Existing::kReplace) {
    good = renameat(folder, fresh.c_str(), folder, name.c_str()) == 0;
  } else if (good) {
    good = linkat(folder, fresh.c_str(), folder, name.c_str(), 0) == 0 ||
           (errno != EEXIST && renameat(folder, fresh.c_str(), folder, name.c_str()) == 0);  // has no links
  }
  const int code = good ? 0 : errno;
  unlinkat(folder, fresh.c_str(), 0);
  return code;
}

Result<void> replace(int folder, const std::string& name, const std::string& text, const std::string& shown) {
  const int code = put(folder, name, text, Existing::kReplace);
  if (code != 0) return usage_error("cannot write the plan", shown, std::strerror(code));
  return {};
}

// Made if it is not there. A link is not followed.
int open_folder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return -1;
  return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

std::pair<std::string, std::string> folder_and_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

Result<std::string> replace_plan(const std::string& folder, const std::string& name, const PlanFile& plan) {
  const Descriptor dir(open_folder(folder));
  if (dir.get() < 0) return usage_error("cannot open the folder for plans", folder, std::strerror(errno));
  std::string shown = folder + "/" + name;
  if (auto written = replace(dir.get(), name, write_plan(plan), shown); !written)
    return tl::make_unexpected(written.error());
  return shown;
}

}  // namespace

bool same_defect(const PlanFile& a, const PlanFile& b) {
  return a.program == b.program && a.arguments == b.arguments && a.outcome == b.outcome &&
         a.outcome_place == b.outcome_place && a.message == b.message;
}

std::vector<std::pair<std::string, PlanFile>> load_plans_of(const std::string& folder, const std::string& program) {
  std::vector<std::pair<std::string, PlanFile>> out;
  const Descriptor dir(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (dir.get() < 0) return out;
  const std::string name = name_of_program(program);
  // A gap in the numbers is a plan that somebody has removed.
  for (int number = 1, absent = 0; number < kMaxNumber && absent < kMostAbsent; ++number) {
    const std::string file = fmt::format("{}-{}.plan", name, number);
    const Descriptor plan(openat(dir.get(), file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    absent = plan.get() < 0 ? absent + 1 : 0;
    if (plan.get() < 0) continue;
    std::string shown = folder + "/" + file;
    auto text = read_all(plan.get(), shown);
    if (!text) continue;
    if (auto parsed = parse_plan(*text, shown); parsed) out.emplace_back(std::move(shown), std::move(*parsed));
  }
  return out;
}

Result<std::string> save_plan(const std::string& folder, const PlanFile& plan) {
  const Descriptor dir(open_folder(folder));
  if (dir.get() < 0) return usage_error("cannot open the folder for plans", folder, std::strerror(errno));
  const std::string name = name_of_program(plan.program);
  for (int number = 1; number < kMaxNumber; ++number) {
    const std::string file = fmt::format("{}-{}.plan", name, number);
    const std::string shown = folder + "/" + file;
    const Descriptor old(openat(dir.get(), file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (old.get() < 0 && errno != ENOENT) continue;  // a link, or not ours: leave it alone
    if (old.get() >= 0) {
      auto text = read_all(old.get(), shown);
      if (!text) continue;
      const auto other = parse_plan(*text, shown);
      if (!other || !same_defect(*other, plan)) continue;
    }
    // Tests that run side by side save into one folder.
    const int code = put(dir.get(), file, write_plan(plan), old.get() < 0 ? Existing::kKeep : Existing::kReplace);
    if (code == 0) return shown;
    if (code != EEXIST) return usage_error("cannot write the plan", shown, std::strerror(code));
    --number;  // look at it again: it may be the same defect
  }
  return usage_error("too many plans", folder, "remove old ones");
}

Result<std::string> save_original(const std::string& path, const std::optional<PlanFile>& plan) {
  constexpr std::string_view kPlan = ".plan";
  auto [folder, name] = folder_and_name(path);
  if (name.size() > kPlan.size() && name.ends_with(kPlan)) name.resize(name.size() - kPlan.size());
  name += ".original.plan";
  if (plan) return replace_plan(folder, name, *plan);
  const Descriptor dir(open_folder(folder));
  if (dir.get() < 0) return usage_error("cannot open the folder for plans", folder, std::strerror(errno));
  unlinkat(dir.get(), name.c_str(), 0);  // one of an earlier campaign would belong to another plan
  return std::string();
}

Result<std::string> save_for_warning(const std::string& path, std::size_t warning) {
  const auto plan = load_plan(path);
  if (!plan) return tl::make_unexpected(plan.error());
  return replace_plan(folder_and_name(path).first,
                      fmt::format("{}-warning-{}.plan", name_of_program(plan->program), warning), *plan);
}

Result<std::string> save_input(const std::string& folder, const std::string& text) {
  const Descriptor dir(open_folder(folder));
  if (dir.get() < 0) return usage_error("cannot open the folder for plans", folder, std::strerror(errno));
  const std::string name = fmt::format("stdin-{:016x}", hash_bytes(0, text));
  if (auto written = replace(dir.get(), name, text, folder + "/" + name); !written) {
    return tl::make_unexpected(written.error());
  }
  std::error_code ignored;
  return std::filesystem::absolute(folder + "/" + name, ignored).string();
}

Result<void> save_beside(const std::string& path, const std::string& text) {
  const auto [folder, name] = folder_and_name(path);
  const Descriptor dir(open_folder(folder));
  const int code = dir.get() < 0 ? errno : put(dir.get(), name, text, Existing::kReplace);
  if (code != 0) return usage_error("cannot write", path, std::strerror(code));
  return {};
}

Result<PlanFile> load_plan(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return usage_error("cannot read the plan", path, std::strerror(errno));
  auto text = read_all(file.get(), path);
  if (!text) return tl::make_unexpected(text.error());
  return parse_plan(*text, path);
}

Result<void> write_file(const std::string& path, const std::string& text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.get() < 0 || !write_all(file.get(), text)) return usage_error("cannot write", path, std::strerror(errno));
  return {};
}

}  // namespace ravel
