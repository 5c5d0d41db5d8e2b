#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Installs what is missing. `setup.sh tool`: the Debian packages that the tool is built with. `setup.sh all`: also those of
# the tests and benchmarks, and the Node modules of tests/browser. Silent when nothing is missing; never upgrades or
# removes anything.
set -euo pipefail
wanted=${1:-all}
case "$wanted" in
  tool | all) ;;
  *) echo "setup: unknown set of packages '$wanted': tool or all" >&2 && exit 2 ;;
esac
# On other systems the packages have other names: CMake says what is missing.
command -v dpkg-query >/dev/null || exit 0

packages=(
  g++ cmake ninja-build make binutils
  libfmt-dev libcli11-dev nlohmann-json3-dev libexpected-dev llvm-14-dev zlib1g-dev libtomlplusplus-dev
)
test_packages=(
  clang-14 libclang-rt-14-dev gdb python3
  libgtest-dev librapidcheck-dev clang-format-14 libbenchmark-dev valgrind
  libconcurrentqueue-dev libreaderwriterqueue-dev libboost-dev libthread-pool-dev libxenium-dev googletest
  libspdlog-dev libasio-dev libcuckoo-dev libatomic-queue-dev libuv1-dev libcpp-httplib-dev libtbb-dev libabsl-dev libcds-dev liburcu-dev libck-dev
  chromium libxml2-utils catch2 doctest-dev dpkg-dev pkg-config meson autoconf automake groff-base bash zsh fish
)
if [ "$wanted" = all ]; then
  packages+=("${test_packages[@]}")
  # Node may also come from another source than Debian.
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done

browser="$(dirname "$0")/../tests/browser"
install_modules() {
  [ "$wanted" = all ] || return 0
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
