# shellcheck shell=sh
# The command `fuzz`, which searches for inputs that cause failures. Sourced by bootstrap.sh, after
# check.sh.

fuzz_seconds=60

# fuzz [SECONDS] [NAME]: runs every fuzzer of tests/fuzz, or NAME, for SECONDS each.
run_fuzzers() {
    seconds=${1-$fuzz_seconds}
    case $seconds in
    *[!0-9]* | '') die 2 "fuzz [SECONDS] [NAME]: '$seconds' is not a number of seconds" ;;
    esac
    # libFuzzer interprets 0 as no limit.
    [ "$seconds" -gt 0 ] || die 2 "fuzz [SECONDS] [NAME]: at least one second"
    [ $# -le 2 ] || die 2 "fuzz accepts SECONDS and NAME only"
    names=$(fuzzer_names)
    if [ $# -eq 2 ]; then
        case " $names " in
        *" $2 "*) names=$2 ;;
        *) die 2 "unknown fuzzer '$2'; the fuzzers are:$names" ;;
        esac
    fi
    need_packages build test
    one_at_a_time fuzz
    # shellcheck disable=SC2046,SC2086
    need_built fuzz ON $(printf 'fuzz_%s ' $names)
    verdict=0
    for name in $names; do
        fuzz_one "$name" || verdict=1
    done
    return $verdict
}

# One fuzzer per file.
fuzzer_names() {
    for file in "$root"/tests/fuzz/*_fuzz.cpp; do
        file=${file##*/}
        printf ' %s' "${file%_fuzz.cpp}"
    done
}

# Prints one line on stdout. New inputs are kept in the build tree, so that the next run continues
# with them; inputs that cause failures are stored separately and never deleted.
fuzz_one() {
    here=$root/tests/fuzz tree=$root/build/fuzz
    binary=$tree/bin/fuzz_$1 log=$tree/$1.log kept=$tree/corpus/$1 found=$tree/found/$1
    mkdir -p "$kept" "$found"
    # Without -entropic=0 most of the time is spent on choosing the next input.
    set -- "$1" -max_total_time="$seconds" -timeout=20 -max_len=4096 -entropic=0 \
        -print_final_stats=1 -artifact_prefix="$found/"
    [ ! -f "$here/$1.dict" ] || set -- "$@" -dict="$here/$1.dict"
    name=$1
    shift
    code=0
    "$binary" "$@" "$kept" "$here/corpus/$name" </dev/null >"$log" 2>&1 8>&- || code=$?
    runs=$(LC_ALL=C awk '/^stat::number_of_executed_units:/ { print $2 }' "$log")
    if [ "$code" -eq 0 ]; then
        printf '%-10s %10s runs in %d s: nothing found\n' "$name" "${runs:-0}" "$seconds"
        return 0
    fi
    input=$(LC_ALL=C awk 'sub(/.*Test unit written to /, "") { last = $0 } END { print last }' \
        "$log")
    cat "$log" >&2
    if [ -n "$input" ]; then
        printf '%-10s %10s runs: FOUND %s\n' "$name" "${runs:-?}" "$input"
        say "replay it with: '$binary' '$input'"
        say "once fixed, keep it: cp '$input' '$here/corpus/$name/'"
    else
        printf '%-10s did not run: exit code %d, see %s\n' "$name" "$code" "$log"
    fi
    return 1
}
