#!/bin/sh
# Simulates a fuzzer: prints libFuzzer's output, and reports a finding on request.
echo "with $*"
echo "stat::number_of_executed_units: 1234"
if [ -n "${FUZZER_FINDS-}" ]; then
    for argument in "$@"; do
        case $argument in -artifact_prefix=*) prefix=${argument#*=} ;; esac
    done
    : >"${prefix}crash-1"
    echo "artifact_prefix='$prefix'; Test unit written to ${prefix}crash-1"
    exit 77
fi
