#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Installs the Debian packages that are missing. Silent when all are there; never upgrades or removes anything.
set -euo pipefail

packages=(
  g++ clang-14 libclang-rt-14-dev cmake ninja-build make gdb python3 binutils
  libfmt-dev libcli11-dev nlohmann-json3-dev libexpected-dev llvm-14-dev
  libgtest-dev librapidcheck-dev clang-format-14 libbenchmark-dev valgrind
  libconcurrentqueue-dev libreaderwriterqueue-dev libboost-dev libthread-pool-dev libxenium-dev googletest
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "setup: installing ${missing[*]}"
if [ "$(id -u)" -ne 0 ]; then
  echo "setup: not root. Run: apt-get install ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() { apt-get install -y --no-install-recommends --no-upgrade "${missing[@]}" >"$log" 2>&1; }
# Package lists may be stale or absent: refresh them only when the first try fails.
if ! install && ! { apt-get update >"$log" 2>&1 && install; }; then
  cat "$log" >&2
  exit 1
fi
