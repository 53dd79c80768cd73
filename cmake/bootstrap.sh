#!/bin/sh
# Builds and runs the host, or all tests, on a bare Debian 12.
#
# stdout contains only the output of the host (or the test results), so that
# `sh cmake/bootstrap.sh run list --json | jq` works even on the first run. Messages of this script
# and of the build go to stderr, and stdin is passed to the host.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
# shellcheck source=cmake/bootstrap/packages.sh
. "$root/cmake/bootstrap/packages.sh"
# shellcheck source=cmake/bootstrap/tree.sh
. "$root/cmake/bootstrap/tree.sh"

usage() {
    cat <<'END'
usage: sh cmake/bootstrap.sh COMMAND [ARGS]

  run [ARGS]    build what changed, then run toolhost with ARGS
  test          build everything, run all tests and print their totals
  thorough      test, and a clang build that compiles each file separately
  conformance   run the official MCP suite against the host, over HTTP and stdio
  setup         install all packages, fetch test material, build; later commands need no network
  bench [ARGS]  build and run the benchmarks
  coverage      run the tests instrumented and print line coverage per room
  fuzz [SECONDS] [NAME]
                feed random input to every fuzzer, or to NAME, for SECONDS (60) each
  soak [SECONDS]
                make valid and hostile calls while workers are killed, for SECONDS (120)
  load [SECONDS] [CLIENTS]
                serve CLIENTS (64) that make mixed and crashing calls, for SECONDS (60)
  help          print this text

Missing Debian packages (cmake/packages.txt) are installed as root or through sudo.
TOOLHOST_WITHOUT_NPM=1 skips the tests that need the MCP suite and clients from npm; otherwise it is
a failure if they cannot be fetched.
Exit codes: that of the program; 1 a test, the coverage or a fuzzer failed, 2 usage, 12 packages
could not be installed or fetched, 70 the build failed.
END
}

say() { printf 'toolhost: %s\n' "$*" >&2; }

die() {
    code=$1
    shift
    say "$@"
    exit "$code"
}

command=${1-}
[ $# -eq 0 ] || shift
case $command in
run)
    need_packages build
    need_built release OFF toolhost toolhost_plugins
    # Makes the commands that the host suggests usable as printed.
    TOOLHOST_INVOKED_AS="sh $0 run" exec "$root/build/release/bin/toolhost" "$@"
    ;;
test | thorough | coverage | conformance)
    # shellcheck source=cmake/bootstrap/check.sh
    . "$root/cmake/bootstrap/check.sh"
    [ $# -eq 0 ] || die 2 "$command takes no arguments"
    "check_$command"
    ;;
setup)
    # shellcheck source=cmake/bootstrap/check.sh
    . "$root/cmake/bootstrap/check.sh"
    [ $# -eq 0 ] || die 2 "setup takes no arguments"
    need_packages build test bench coverage
    fetch_test_material || die 12 "setup is not complete"
    need_built release ON all
    ;;
bench)
    need_packages build test bench
    need_built bench ON toolhost_bench toolhost_plugins
    exec "$root/build/bench/bin/toolhost_bench" "$@"
    ;;
fuzz)
    # shellcheck source=cmake/bootstrap/check.sh
    . "$root/cmake/bootstrap/check.sh"
    # shellcheck source=cmake/bootstrap/fuzz.sh
    . "$root/cmake/bootstrap/fuzz.sh"
    run_fuzzers "$@"
    ;;
soak)
    need_packages build test
    need_built release ON toolhost_soak
    exec "$root/build/release/bin/toolhost_soak" "$@"
    ;;
load)
    need_packages build test
    need_built release ON toolhost_load
    exec "$root/build/release/bin/toolhost_load" "$@"
    ;;
help | -h | --help)
    usage
    ;;
*)
    usage >&2
    [ -z "$command" ] || say "unknown command: $command"
    exit 2
    ;;
esac
