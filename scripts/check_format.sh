#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# clang-format-14 over all C++ files; --fix rewrites them.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run -Werror)
[ "${1:-}" = --fix ] && mode=(-i)
folders=()
for folder in include src tests bench examples; do
  [ -d "$folder" ] && folders+=("$folder")
done
find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.c' \) -print0 |
  sort -z | xargs -0 -r clang-format-14 "${mode[@]}"
