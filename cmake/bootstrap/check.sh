# shellcheck shell=sh
# The commands `test`, `thorough` and `coverage`. Sourced by bootstrap.sh.

# The stages of `test`, one per line: PRESET, the ctest labels to run (`*` all, `-` build only), and
# the target to build. The sanitizers skip slow labels. clang builds them, with its warnings and its
# thread-safety analysis.
test_stages() {
    cat <<'END'
release * all
asan unit|integration|fuzz sanitized_tests
tsan threads thread_tests
END
}

# `thorough` also compiles each file separately, which finds missing #includes.
thorough_stages() {
    test_stages
    echo 'clang - all'
}

# Minimum line coverage of these rooms, in per cent.
coverage_floor=90
coverage_rooms='registry discovery'

passed=0 failed=0 skipped=0

check_test() {
    run_stages test_stages
}

check_thorough() {
    run_stages thorough_stages
}

run_stages() { # a function that prints them
    need_packages build test
    one_at_a_time test
    summary= begun=$(date +%s) started=$(date +%s)
    fetch_test_material || failed=1
    [ -z "$mcp_says" ] || stage_line mcp "$mcp_says"
    # Not a pipe, because the loop must set the counts in this shell.
    while read -r preset labels target; do
        run_stage "$preset" "$labels" "$target"
    done <<END
$("$1")
END
    printf '\n%s%-10s %d s\n\n%d passed, %d failed, %d skipped\n' "$summary" total \
        $(($(date +%s) - begun)) "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# Only tests need it. The JSON Schema tests report what they skip. Without the MCP suite nothing
# tests interoperability, which is a failure unless the user requested it.
# mcp_says is printed again at the end.
fetch_test_material() {
    mcp_says=
    fetch schema_suite json-schema-suite ||
        say "could not fetch the JSON Schema suite: its tests will be skipped"
    if [ "${TOOLHOST_WITHOUT_NPM-}" = 1 ]; then
        mcp_says='NOT RUN: conformance and clients, since TOOLHOST_WITHOUT_NPM=1'
    elif ! fetch mcp mcp; then
        mcp_says='NOT FETCHED, see above: conformance and clients (TOOLHOST_WITHOUT_NPM=1 skips them)'
    fi
    [ -z "$mcp_says" ] || say "mcp: $mcp_says"
    case $mcp_says in 'NOT FETCHED'*) return 1 ;; esac
}

# fetch TESTS FOLDER: runs fetch.sh of these tests, which writes to a folder of build/downloads.
fetch() {
    [ -f "$root/tests/$1/fetch.sh" ] || return 0
    mkdir -p "$root/build/downloads"
    (cd "$root" && umask 022 &&
        sh "tests/$1/fetch.sh" "$root/build/downloads/$2" </dev/null >&2)
}

# Runs the official MCP suite alone, with its output. Here a skipped test is a failure.
check_conformance() {
    need_packages build test
    one_at_a_time test
    [ "${TOOLHOST_WITHOUT_NPM-}" != 1 ] || die 2 "TOOLHOST_WITHOUT_NPM=1 skips all tests of this command"
    fetch mcp mcp || die 1 "could not fetch the MCP suite"
    need_built release ON toolhost conformance_tests
    started=$(date +%s) summary= ctest_says=--verbose
    run_ctest release '^conformance$'
    printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ] && [ "$skipped" -eq 0 ]
}

# Concurrent runs would overwrite each other's results. Descriptor 8 holds the lock until the script
# ends. It is not the lock of the build tree, which the build takes itself.
one_at_a_time() {
    command -v flock >/dev/null 2>&1 || return 0
    mkdir -p "$root/build"
    exec 8>"$root/build/bootstrap-$1.lock"
    flock -n 8 || {
        say "waiting for another $1"
        flock 8
    }
}

# A stage that does not build counts as one failure; later stages still run.
run_stage() { # PRESET LABELS TARGET
    printf '\n== %s: %s\n' "$1" "$2"
    started=$(date +%s)
    # For a build-only stage the program and its plugins are enough; the tests of the SDK compile it
    # with every compiler.
    if [ "$2" = - ]; then tests=OFF; else tests=ON; fi
    if ! (need_built "$1" $tests "$3"); then
        failed=$((failed + 1))
        stage_line "$1" 'does not build'
    elif [ "$2" = - ]; then
        stage_line "$1" 'builds'
    else
        run_ctest "$1" "$2"
    fi
}

stage_line() { # NAME TEXT
    summary="$summary$(printf '%-10s %s (%d s)' "$1" "$2" $(($(date +%s) - started)))
"
}

run_ctest() { # PRESET LABELS
    preset=$1 junit=$root/build/$1/junit.xml
    # No -L for `*`, because no expression matches tests without labels.
    if [ "$2" = '*' ]; then set --; else set -- -L "$2"; fi
    rm -f "$junit"
    ctest_code=0
    ctest --test-dir "$root/build/$preset" -j "$(nproc)" "${ctest_says:---output-on-failure}" --no-tests=error \
        --output-junit "$junit" "$@" </dev/null 8>&- || ctest_code=$?
    # Three words: passed, failed, skipped.
    # shellcheck disable=SC2046
    set -- $(count_junit "$junit")
    # ctest may fail without a failed test: no tests found, or a crash of ctest.
    if [ "$ctest_code" -ne 0 ] && [ "$2" -eq 0 ]; then set -- "$1" 1 "$3"; fi
    show_skips "$junit"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    stage_line "$preset" "$1 passed, $2 failed, $3 skipped"
}

# ctest's own totals count a test that could not be started as skipped. Here only tests that skipped
# themselves, or are disabled, count as skipped.
count_junit() {
    [ -f "$1" ] || {
        echo 0 0 0
        return
    }
    LC_ALL=C awk '
        /^\t<testcase / { total++ }
        /^\t<testcase .* status="run"/ { passed++ }
        /^\t<testcase .* status="disabled"/ { skipped++ }
        /^\t\t<skipped message="SKIP_/ { skipped++ }
        END { print passed + 0, total - passed - skipped, skipped + 0 }' "$1"
}

# Prints each skip with its reason, including skipped parts of tests.
show_skips() {
    [ -f "$1" ] || return 0
    LC_ALL=C awk '
        /^\t<testcase name="/ { split($0, part, "\""); name = part[2] }
        { sub(/^\t*<system-out>/, ""); sub(/<\/system-out>$/, "") }
        /^SKIP/ { print name ": " $0 }' "$1"
}

check_coverage() {
    need_packages build test coverage
    one_at_a_time coverage
    need_built coverage ON all
    tree=$root/build/coverage
    # gcov would add the counts of earlier runs.
    find "$tree" -name '*.gcda' -delete
    started=$(date +%s) summary=
    run_ctest coverage 'unit|integration'
    csv=$tree/coverage.csv
    (cd "$root" && LC_ALL=C.UTF-8 gcovr --root "$root" --filter "$root/host/" --csv -j "$(nproc)" \
        --object-directory "$tree" -o "$csv" "$tree" </dev/null >&2) ||
        die 70 "gcovr failed"
    printf '\n'
    verdict=0
    coverage_table "$csv" || verdict=1
    printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ] && [ "$verdict" -eq 0 ]
}

# Prints lines, covered lines and per cent for each room of host/. Fails if a room with a floor is
# below it.
coverage_table() {
    LC_ALL=C awk -F, -v floor="$coverage_floor" -v rooms="$coverage_rooms" '
        NR > 1 && $1 ~ /^host\// {
            split($1, path, "/")
            room = path[3] == "" ? "(main)" : path[2]
            lines[room] += $2; covered[room] += $3
        }
        END {
            sorted = "sort"
            for (room in lines)
                printf "%-12s %6d of %6d lines  %5.1f %%\n", room, covered[room], lines[room],
                       100 * covered[room] / (lines[room] ? lines[room] : 1) | sorted
            close(sorted)
            count = split(rooms, must, " ")
            for (i = 1; i <= count; i++) {
                room = must[i]
                if (!(room in lines) || 100 * covered[room] < floor * lines[room]) {
                    printf "host/%s is below %d %%\n", room, floor
                    short = 1
                }
            }
            exit short
        }' "$1"
}
