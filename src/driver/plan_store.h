// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The folder of saved plans (.ravel): made with mode 0700, files opened without following links, so that a folder
// somebody else prepared cannot redirect what we write. Files are NAME-1.plan, NAME-2.plan, ...; a finding that is
// there already keeps its number, another one never overwrites it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/text/plan_file.h"
#include "model/text/result.h"

namespace ravel {

// The plans of this program in the folder, by their numbers; what cannot be read is left out.
std::vector<std::pair<std::string, PlanFile>> load_plans_of(const std::string& folder, const std::string& program);
// Returns the path written, relative when `folder` is.
Result<std::string> save_plan(const std::string& folder, const PlanFile& plan);
// Beside the plan at `path`, what it was before it was simplified: "bank-1.original.plan". None: an old one is removed.
Result<std::string> save_original(const std::string& path, const std::optional<PlanFile>& plan);
// The plan at `path` once more, as "bank-warning-2.plan" beside it: a plan with a number belongs to a defect, and the
// next schedule with that defect replaces it.
Result<std::string> save_for_warning(const std::string& path, std::size_t warning);
// Keeps the standard input that a plan needs beside it, named by its contents; gives the absolute path.
Result<std::string> save_input(const std::string& folder, const std::string& text);
Result<PlanFile> load_plan(const std::string& path);
// Another file in such a folder, as a whole: a reader never sees half of it.
Result<void> save_beside(const std::string& path, const std::string& text);
// Writes a file of ours with the same care.
Result<void> write_file(const std::string& path, const std::string& text);
// Same program, kind and place: the same defect, found again.
[[nodiscard]] bool same_defect(const PlanFile& a, const PlanFile& b);

}  // namespace ravel
