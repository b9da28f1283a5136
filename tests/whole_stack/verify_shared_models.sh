#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reference outputs of real networks, bit for bit, through the public API: AVOCET SOURCE_DIR DEVICE ENGINE [options of verify].
# Exit status 77 (skipped) where the models are not there.
set -eu
avocet=$1 source=$2 device=$3 engine=$4
shift 4
models=${AVOCET_SHARED:-$source/../shared}/models
if [ ! -f "$models/manifest.json" ]; then
  echo "skipped: no $models/manifest.json (set AVOCET_SHARED)"
  exit 77
fi
[ "$engine" = none ] || set -- --engine "$engine" "$@"
for model in pretrainedResnet_quant vww_96_int8 kws_ref_model ad01_int8 person_detect mobilenet_v1_0.25_128_quant \
  mobilenet_v2_1.0_224_quant; do
  "$avocet" verify "$models" --model "$model" --device "$device" "$@"
done
