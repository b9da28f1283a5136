#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One network with seeded input on every engine, twice with `timed`: AVOCET MODEL. Outputs must be the CPU path's, cycles those of
# the first timed run, on all of them but `functional`, which has none.
set -eu
avocet=$1 model=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run() { # name, then options
  name=$1
  shift
  "$avocet" run "$model" --seed 7 --json "$folder/$name.json" --output "$folder/$name" "$@" >/dev/null
}
cycles() { sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p' "$folder/$1.json" | head -n 1; } # the first is the total
array_cycles() { sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p' "$folder/$1.json" | head -n 1; } # the first is the total
run cpu --device cpu
run first --device npu --engine timed
for engine in functional timed rtl; do
  run "$engine" --device npu --engine "$engine"
  for output in "$folder"/cpu/*; do
    cmp "$output" "$folder/$engine/$(basename "$output")" || { echo "$engine: other values than the CPU path"; exit 1; }
  done
done
[ "$(cycles first)" -gt 0 ] || { echo "no cycles in the report"; exit 1; }
[ -n "$(array_cycles first)" ] || { echo "no array cycles in the report"; exit 1; }
for engine in timed rtl; do
  [ "$(cycles first)" = "$(cycles $engine)" ] || { echo "$engine: $(cycles $engine) cycles, first run $(cycles first)"; exit 1; }
  [ "$(array_cycles first)" = "$(array_cycles $engine)" ] || { echo "$engine: other array cycles"; exit 1; }
done
echo "cpu, functional, timed and rtl agree; $(cycles first) cycles"
