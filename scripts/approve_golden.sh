#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Takes the reports as they are now for right: writes tests/golden/approved anew and shows what changed. Look at it
# before it is committed.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --build --preset dev --target report_samples
samples=$(mktemp -d)
trap 'rm -rf "$samples"' EXIT
build/bin/report_samples tests/golden "$samples"
python3 -B tests/golden/compare.py "$samples" tests/golden/approved --approve
git --no-pager diff --stat -- tests/golden/approved || true
