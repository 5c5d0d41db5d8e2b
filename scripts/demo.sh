#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# The main job on a small program: compile, find the interleaving that breaks it, replay it. Ends with 0 when all of it worked.
set -euo pipefail
cd "$(dirname "$0")/.."
ravel=$PWD/build/bin/ravel
source=$PWD/examples/bank.cpp
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$source" "$folder/"
cd "$folder"

fail() {
  echo "demo: $1" >&2
  exit 1
}
run() { # run WANTED COMMAND...: shows the command, runs it, wants this exit code
  local wanted=$1 code=0
  shift
  echo "\$ ${*/#$ravel/ravel}"
  "$@" || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code, expected $wanted"
  echo
}

run 0 "$ravel" c++ -std=c++20 bank.cpp -o bank
run 1 "$ravel" run ./bank # 1: a defect was found
plans=(.ravel/*.plan)
[ -f "${plans[0]}" ] || fail "no plan was written"
run 1 "$ravel" replay "${plans[0]}" # 1: it happened again
run 1 "$ravel" replay --quiet --times 100 "${plans[0]}"
run 0 "$ravel" c++ -std=c++20 -DFIXED bank.cpp -o bank-fixed
run 0 "$ravel" run ./bank-fixed
echo "demo: found, explained, replayed 100 of 100 times; the repaired program is clean"
