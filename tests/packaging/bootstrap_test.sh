#!/bin/sh
# bootstrap.sh with a miniature project: its output, its arguments, and when it builds.
# usage: bootstrap_test.sh SOURCE_ROOT
set -u
source_root=$1
here=$source_root/tests/packaging
# shellcheck source=tests/packaging/check.sh
. "$here/check.sh"
# shellcheck source=tests/packaging/bootstrap_stubs.sh
. "$here/bootstrap_stubs.sh"
scratch_folder

for script in "$source_root"/cmake/bootstrap.sh "$source_root"/cmake/bootstrap/*.sh; do
    sh -n "$script" || fail "sh -n $script"
done
if command -v shellcheck >/dev/null; then
    (cd "$source_root" && shellcheck -x cmake/bootstrap.sh tests/packaging/*.sh) || fail shellcheck
else
    skip "shellcheck is not installed"
fi

mini="$scratch/mini project"
make_mini "$source_root" "$mini"
make_machine "$scratch/machine" sh dirname cat awk sed grep cmake ctest ninja flock mkdir nproc \
    date rm find env cp true false sort timeout
unset STUB_MISSING

bootstrap() { PATH="$scratch/machine/bin" sh "$mini/cmake/bootstrap.sh" "$@"; }

# The first runs, three at once: one builds, all answer.
for one in 1 2 3; do
    bootstrap run "$one" >"$scratch/out.$one" 2>"$scratch/err.$one" </dev/null &
done
wait
for one in 1 2 3; do
    same "first run, stdout's first line" "<$one>" "$(head -n 1 "$scratch/out.$one")"
    hasnt "first run, stdout" noise "$(cat "$scratch/out.$one")"
done
has "first run, stderr" "noise of the build" "$(cat "$scratch"/err.*)"
[ ! -e "$mini/build/release/tests-were-built" ] || fail "run built the tests"

# From another folder, with unusual arguments, another umask, and stdin for the host.
elsewhere=$(mkdir "$scratch/else where" && cd "$scratch/else where" && pwd -P)
# shellcheck disable=SC2016
expected=$(printf '<%s>\n' stdin 'two words' '' "it's" '*' '--json' '$HOME'
    printf 'cwd %s\numask 0077\nfor the host' "$elsewhere")
# shellcheck disable=SC2016
actual=$(cd "$elsewhere" && umask 077 && printf 'for the host' |
    bootstrap run stdin 'two words' '' "it's" '*' --json '$HOME' 2>"$scratch/err")
same "what the host gets" "$expected" "$actual"
same "stderr when there is nothing to do" "" "$(cat "$scratch/err")"
bootstrap run exit 19 >/dev/null
same "exit code" 19 $?
same "run without arguments" cwd "$(bootstrap run | cut -c 1-3 | head -n 1)"

# A change is built; a permissive umask does not create plugins that others may write.
sed -i 's/^# Stands.*/echo changed/' "$mini/host.sh"
: >"$mini/plugin.txt"
out=$(umask 000 && bootstrap run 2>/dev/null)
has "after a change" changed "$out"
rm -rf "$mini/build"
(umask 000 && bootstrap run >/dev/null 2>&1)
same "others' write permission" "" "$(find "$mini/build/release" -perm -o+w ! -type l)"

# A failed build has its own exit code, and prints nothing on stdout.
mv "$mini/plugin.txt" "$mini/away"
out=$(bootstrap run 2>"$scratch/err")
same "exit code of a broken build" 70 $?
same "stdout of a broken build" "" "$out"
mv "$mini/away" "$mini/plugin.txt"

# A tree that was moved with its sources must be built from them, not from the old place.
cp -R "$mini" "$scratch/moved"
sed -i 's/^echo changed/echo moved/' "$scratch/moved/host.sh"
out=$(PATH="$scratch/machine/bin" sh "$scratch/moved/cmake/bootstrap.sh" run 2>/dev/null)
has "a copied tree" moved "$out"

# The result of the tests.
out=$(bootstrap test 2>/dev/null)
same "exit code when all pass" 0 $?
same "last line" "4 passed, 0 failed, 1 skipped" "$(printf '%s\n' "$out" | tail -n 1)"
has "a stage's time" "tsan       1 passed, 0 failed, 0 skipped (" "$out"
has "the time of all stages" "
total      " "$out"
hasnt "the stages of test" "clang" "$out"
out=$(bootstrap thorough 2>/dev/null)
same "exit code of thorough" 0 $?
has "the stages of thorough" "clang      builds (" "$out"
has "a skip's reason" "skips: SKIP: no such thing here" "$out"
: >"$mini/make-it-fail"
touch "$mini/CMakeLists.txt"
out=$(bootstrap test 2>/dev/null)
same "exit code when some fail" 1 $?
same "last line" "4 passed, 2 failed, 1 skipped" "$(printf '%s\n' "$out" | tail -n 1)"
mv "$mini/plugin.txt" "$mini/away"
out=$(bootstrap test 2>/dev/null)
same "exit code when nothing builds" 1 $?
same "last line" "0 passed, 3 failed, 0 skipped" "$(printf '%s\n' "$out" | tail -n 1)"

mv "$mini/away" "$mini/plugin.txt"
rm "$mini/make-it-fail"

# A failed download from npm is a failure, repeated at the end, unless npm is disabled.
mkdir -p "$mini/tests/mcp"
echo 'echo "no registry" >&2; exit 1' >"$mini/tests/mcp/fetch.sh"
out=$(bootstrap test 2>"$scratch/err")
same "exit code without the MCP suite" 1 $?
same "last line" "4 passed, 1 failed, 1 skipped" "$(printf '%s\n' "$out" | tail -n 1)"
has "the summary" "mcp        NOT FETCHED, see above: conformance and clients" "$out"
has "how to do without" "TOOLHOST_WITHOUT_NPM=1" "$(cat "$scratch/err")"
bootstrap setup >/dev/null 2>&1
same "exit code of setup without it" 12 $?
out=$(TOOLHOST_WITHOUT_NPM=1 bootstrap test 2>"$scratch/err")
same "exit code when it is left out" 0 $?
has "the summary" "mcp        NOT RUN: conformance and clients, since TOOLHOST_WITHOUT_NPM=1" "$out"
hasnt "what was fetched" "no registry" "$(cat "$scratch/err")"
TOOLHOST_WITHOUT_NPM=1 bootstrap conformance >/dev/null 2>&1
same "exit code of conformance when it is left out" 2 $?
rm -r "$mini/tests/mcp"

# Coverage with simulated counts. With a deadline, because it once waited for its own lock.
stub gcovr <<'END'
while [ "$1" != -o ]; do shift; done
printf '%s\n' filename,line_total,line_covered "host/registry/a.cpp,10,$COVERED" \
    host/registry/b.cpp,90,81 host/discovery/c.cpp,10,10 host/main.cpp,5,0 >"$2"
END
coverage() { COVERED=$1 PATH="$scratch/machine/bin" timeout 60 sh "$mini/cmake/bootstrap.sh" coverage; }
out=$(coverage 9 2>/dev/null)
same "exit code at the floor" 0 $?
has "a room's share" "registry         90 of    100 lines   90.0 %" "$out"
same "last line" "1 passed, 0 failed, 0 skipped" "$(printf '%s\n' "$out" | tail -n 1)"
out=$(coverage 8 2>/dev/null)
same "exit code below the floor" 1 $?
has "which room" "host/registry is below 90 %" "$out"

# Fuzzers are found by their sources.
mkdir -p "$mini/tests/fuzz"
: >"$mini/tests/fuzz/mini_fuzz.cpp"
out=$(bootstrap fuzz 3 2>/dev/null)
same "exit code when nothing is found" 0 $?
same "a fuzzer's line" "mini             1234 runs in 3 s: nothing found" "$out"
has "what it is told" "-max_total_time=3" "$(cat "$mini/build/fuzz/mini.log")"
found=$mini/build/fuzz/found/mini/crash-1
out=$(FUZZER_FINDS=yes bootstrap fuzz 3 mini 2>"$scratch/err")
same "exit code when something is found" 1 $?
same "a fuzzer's line" "mini             1234 runs: FOUND $found" "$out"
has "how to see it again" "'$mini/build/fuzz/bin/fuzz_mini' '$found'" "$(cat "$scratch/err")"
for wrong in 'soon' '0' '3 none' '3 mini more'; do
    # shellcheck disable=SC2086
    bootstrap fuzz $wrong >"$scratch/out" 2>&1
    same "exit code of fuzz $wrong" 2 $?
done
has "which fuzzers there are" mini "$(bootstrap fuzz 3 none 2>&1)"

bootstrap nonsense >"$scratch/out" 2>/dev/null
same "exit code of an unknown command" 2 $?
same "its stdout" "" "$(cat "$scratch/out")"
has "help" "usage:" "$(bootstrap help)"
for command in run test thorough setup bench coverage conformance fuzz soak help; do
    has "help" "
  $command " "$(bootstrap help)"
done
finish
