#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Builds every target with clang++-14, warnings as errors.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset clang >/dev/null
cmake --build --preset clang
