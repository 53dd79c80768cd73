# shellcheck shell=sh
# The verdicts: `test`, `thorough` and `coverage`. Sourced by bootstrap.sh.

# What `test` does, one stage a line: PRESET, the ctest labels to run (`*` all, `-` build only), and
# what to build for them. The sanitizers skip the slow labels. clang builds them, with its warnings
# and its check of the locks.
test_stages() {
    cat <<'END'
release * all
asan unit|integration|fuzz sanitized_tests
tsan threads thread_tests
END
}

# What `thorough` adds: each file compiled on its own, which finds a missing #include.
thorough_stages() {
    test_stages
    echo 'clang - all'
}

# Rooms that must not fall below this share of covered lines, in per cent.
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
    # Not a pipe: the counts must survive the loop.
    while read -r preset labels target; do
        run_stage "$preset" "$labels" "$target"
    done <<END
$("$1")
END
    printf '\n%s%-10s %d s\n\n%d passed, %d failed, %d skipped\n' "$summary" total \
        $(($(date +%s) - begun)) "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# Only tests need it. The JSON Schema suite says itself what it skips. Without the MCP suite nothing
# proves that others can speak with the host: that is a failure, unless the user says that it is meant.
# mcp_says: what is to be said of it in the end, too.
fetch_test_material() {
    mcp_says=
    fetch schema_suite json-schema-suite ||
        say "could not fetch the JSON Schema suite: its tests will say that they skip"
    if [ "${TOOLHOST_WITHOUT_NPM-}" = 1 ]; then
        mcp_says='NOT RUN: conformance and clients, since TOOLHOST_WITHOUT_NPM=1'
    elif ! fetch mcp mcp; then
        mcp_says='NOT FETCHED, see above: conformance and clients (TOOLHOST_WITHOUT_NPM=1 leaves them out)'
    fi
    [ -z "$mcp_says" ] || say "mcp: $mcp_says"
    case $mcp_says in 'NOT FETCHED'*) return 1 ;; esac
}

# fetch TESTS FOLDER: what the fetch.sh of these tests gets, into a folder of build/downloads.
fetch() {
    [ -f "$root/tests/$1/fetch.sh" ] || return 0
    mkdir -p "$root/build/downloads"
    (cd "$root" && umask 022 &&
        sh "tests/$1/fetch.sh" "$root/build/downloads/$2" </dev/null >&2)
}

# The official MCP suite alone, with what it says. Skipped is not passed here.
check_conformance() {
    need_packages build test
    one_at_a_time test
    [ "${TOOLHOST_WITHOUT_NPM-}" != 1 ] || die 2 "TOOLHOST_WITHOUT_NPM=1 leaves nothing to run here"
    fetch mcp mcp || die 1 "could not fetch the MCP suite"
    need_built release ON toolhost conformance_tests
    started=$(date +%s) summary= ctest_says=--verbose
    run_ctest release '^conformance$'
    printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ] && [ "$skipped" -eq 0 ]
}

# Two runs would overwrite each other's results. Held on descriptor 8 until the script ends; not the
# lock of the tree of that name, which the build takes for itself.
one_at_a_time() {
    command -v flock >/dev/null 2>&1 || return 0
    mkdir -p "$root/build"
    exec 8>"$root/build/bootstrap-$1.lock"
    flock -n 8 || {
        say "waiting for another $1"
        flock 8
    }
}

# A stage that does not build is one failure, and the later stages still have their say.
run_stage() { # PRESET LABELS TARGET
    printf '\n== %s: %s\n' "$1" "$2"
    started=$(date +%s)
    # What only has to build is the program and its plugins; the tests of the SDK compile it with
    # every compiler there is.
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
    # No -L at all for `*`: no expression matches tests that have no label.
    if [ "$2" = '*' ]; then set --; else set -- -L "$2"; fi
    rm -f "$junit"
    ctest_code=0
    ctest --test-dir "$root/build/$preset" -j "$(nproc)" "${ctest_says:---output-on-failure}" --no-tests=error \
        --output-junit "$junit" "$@" </dev/null 8>&- || ctest_code=$?
    # Three words: passed, failed, skipped.
    # shellcheck disable=SC2046
    set -- $(count_junit "$junit")
    # Ctest may fail without a failed test: none found, a crash of its own.
    if [ "$ctest_code" -ne 0 ] && [ "$2" -eq 0 ]; then set -- "$1" 1 "$3"; fi
    show_skips "$junit"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    stage_line "$preset" "$1 passed, $2 failed, $3 skipped"
}

# Ctest's own totals call a test that could not be started "skipped"; only those that asked to be
# skipped, or are disabled, are that here.
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

# A skip is told with its reason, also where only a part of a test was skipped.
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
    # Counts of earlier runs would be added to this one's.
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

# Per room of host/: lines, covered, per cent; fails when a room that has a floor is under it.
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
                    printf "host/%s is under %d %%\n", room, floor
                    short = 1
                }
            }
            exit short
        }' "$1"
}
