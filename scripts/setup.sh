#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Installs what is missing: Debian packages, and the Node modules of tests/browser. Silent when all is there; never
# upgrades or removes anything.
set -euo pipefail

packages=(
  g++ clang-14 libclang-rt-14-dev cmake ninja-build make gdb python3 binutils
  libfmt-dev libcli11-dev nlohmann-json3-dev libexpected-dev llvm-14-dev libtomlplusplus-dev
  libgtest-dev librapidcheck-dev clang-format-14 libbenchmark-dev valgrind
  libconcurrentqueue-dev libreaderwriterqueue-dev libboost-dev libthread-pool-dev libxenium-dev googletest
  chromium libxml2-utils catch2 doctest-dev dpkg-dev pkg-config groff-base bash zsh fish
)
# Node comes from Debian or from elsewhere.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done

browser="$(dirname "$0")/../tests/browser"
install_modules() {
  cmp -s "$browser/package-lock.json" "$browser/node_modules/.installed" && return
  echo "setup: installing the Node modules of tests/browser"
  (cd "$browser" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error && cp package-lock.json node_modules/.installed)
}
if [ ${#missing[@]} -eq 0 ]; then
  install_modules
  exit 0
fi

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
install_modules
