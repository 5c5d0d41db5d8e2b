// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel doctor [PROGRAM]`: can this machine, and this program, be tested? Exit 0 when nothing stands in the way, 3
// else.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "driver/layout.h"
#include "driver/machine.h"
#include "driver/program_image.h"
#include "model/exit_code.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {"doctor", "[PROGRAM]", "Checks this machine, and whether PROGRAM can be tested.",
                                   ProgramStartsAt::kFirstWord, "0 ready, 2 usage, 3 a problem was found"};

std::vector<Check> check_program(const ProgramImage& image) {
  std::vector<Check> checks;
  auto add = [&](bool good, Health otherwise, const char* what, std::string yes, std::string no) {
    checks.push_back({good ? Health::kGood : otherwise, what, good ? std::move(yes) : std::move(no)});
  };
  add(image.dynamic && !image.interpreter.empty(), Health::kBad, "linking", "dynamic",
      "static: link dynamically instead");
  add(image.needs(kRuntimeName), Health::kBad, "runtime", "linked with libravel_rt.so",
      "not linked with libravel_rt.so: build it with `ravel c++' or ravel_instrument(target)");
  add(image.calls_sanitizer, Health::kBad, "instrumented", "yes",
      "no call-outs: its sources were not compiled with `ravel c++' (-fsanitize=thread)");
  add(!image.needs("libtsan"), Health::kBad, "sanitizer runtime", "not linked",
      "linked with libtsan: link without -fsanitize=thread");
  add(!image.needs("libasan") && !image.needs("libubsan"), Health::kWarning, "other sanitizers", "none",
      "linked with another sanitizer's runtime: its threads and memory are not controlled");
  add(image.debug_info, Health::kWarning, "debug information", "yes",
      "none: locations are shown as functions; compile with -g");
  add(!image.setuid, Health::kBad, "set-uid", "no", "yes: refused; remove the bit from a copy");
  add(!image.needs("libgomp"), Health::kWarning, "OpenMP", "not used",
      "libgomp waits in ways Ravel does not control: use ravel run --free");
  checks.push_back({Health::kGood, "build id", image.build_id});
  return checks;
}

bool print_checks(const std::vector<Check>& checks, const Style& style) {
  bool good = true;
  for (const Check& check : checks) {
    const std::string mark = check.health == Health::kGood      ? style.good("ok  ")
                             : check.health == Health::kWarning ? style.warn("warn")
                                                                : style.bad("BAD ");
    fmt::print("  {}  {:<20} {}\n", mark, check.what, check.answer);
    good = good && check.health != Health::kBad;
  }
  return good;
}

}  // namespace

CommandPage doctor_page() {
  return {kSyntax, {}, false};
}

int doctor_command(const Arguments& args) {
  if (!args.empty() && (args[0] == "--help" || args[0] == "-h")) {
    fmt::print("{}", help_text(kSyntax, {}));
    return kExitClean;
  }
  const std::size_t first = !args.empty() && args[0] == "--" ? 1 : 0;
  if (args.size() > first + 1)
    return fail(Error{ErrorKind::kUsage, "more than one program given", args[first + 1], ""});
  const Style style = style_for(ColorMode::kAuto, STDOUT_FILENO);
  fmt::print("machine\n");
  bool good = print_checks(check_machine(), style);
  if (args.size() > first) {
    auto path = find_program(args[first]);
    if (!path) return fail(path.error());
    auto image = read_program(*path);
    if (!image) return fail(image.error());
    fmt::print("program {}\n", image->path);
    good = print_checks(check_program(*image), style) && good;
  }
  return good ? kExitClean : kExitCannotTest;
}

}  // namespace ravel
