#!/bin/sh
# Programs in C++, C and Python that embed toolhost build and run with an installed tree, and
# libtoolhost.so exports only its public functions.
# usage: embed_test.sh SOURCE_ROOT BUILD_DIR
set -u
umask 022
source_root=$1 build=$2
# shellcheck source=tests/packaging/check.sh
. "$source_root/tests/packaging/check.sh"
scratch_folder
# shellcheck source=tests/packaging/usable.sh
. "$source_root/tests/packaging/usable.sh"
quiet_user

cmake --install "$build" --component host --prefix "$scratch/first" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
}
prefix=$scratch/moved
mv "$scratch/first" "$prefix"
no_build_paths "$prefix" "$source_root" "$build"
library=$(find "$prefix" -name 'libtoolhost.so.1')
[ -n "$library" ] || fail "no libtoolhost.so.1 is installed"
has "its soname" "[libtoolhost.so.1]" "$(readelf -d "$library" | grep SONAME)"
# Weak instances of standard library templates are exported too, which is harmless.
declared=$(sed -n 's/^TOOLHOST_PUBLIC [^(]*[ *]\(toolhost_[a-z_]*\)(.*/\1/p' \
    "$prefix/include/toolhost/host.h" | sort)
has "the functions of host.h" toolhost_open "$declared"
same "symbols beside toolhost::v1" "$declared" "$(nm -D --defined-only -C "$library" |
    grep -E ' [TDBR] ' | grep -v 'toolhost::v1::' | sed 's/^[^ ]* [^ ]* //' | sort)"

project=$scratch/embedder
# build SOURCE BUILD: uses the installed tree only.
build() {
    cmake -G Ninja -S "$1" -B "$2" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 &&
        cmake --build "$2" >>"$scratch/log" 2>&1
}
build "$source_root/tests/packaging/embedder" "$project" || {
    cat "$scratch/log"
    exit 1
}
plugins=$scratch/plugins
mkdir "$plugins" "$scratch/work"
for fixture in asker careful waiter; do cp "$build/fixtures/$fixture/$fixture.so" "$plugins/"; done
cd "$scratch/work" || exit 1
said=$("$project/embedder" "$plugins" "$scratch/events" 2>"$scratch/err")
same "exit code of the embedder ($(cat "$scratch/err"))" 0 $?
note "$said"
has "an unknown profile" "refused: invalid_input" "$said"
for tool in asker waiter calculator; do has "its tools" "tool: $tool" "$said"; done
has "a shipped tool" '"status":"success"' "$(printf '%s\n' "$said" | grep '^calculator: ')"
has "a shipped tool" 42 "$(printf '%s\n' "$said" | grep '^calculator: ')"
has "an unknown tool" 'unknown: "unknown_tool"' "$said"
has "a question" 'asked: "confirm"' "$said"
has "its answer" 'went on' "$(printf '%s\n' "$said" | grep '^asker: ')"
has "a call that is cancelled" 'cancelled: "cancelled"' "$said"
has "a name that exists" 'again: already_exists' "$said"
has "an event" 'event: progress' "$said"
has "a created tool" 'hello Ann' "$(printf '%s\n' "$said" | grep '^greet: ')"
has "a reload" 'reload: the same' "$said"
has "a call at shutdown" 'shut down: "cancelled"' "$said"
has "a call after shutdown" 'late: "the host is shut down"' "$said"
# The library itself prints nothing.
same "other lines" "" "$(printf '%s\n' "$said" | grep -Ev '^(refused|tool|calculator|unknown|asked|asker|cancelled|again|event|greet|reload|shut down|late): ')"
has "its events" '"event":"hook.tool.after"' "$(cat "$scratch/events")"

# saw LANGUAGE: the output of the C and the Python embedder.
saw() {
    same "$1: exit code ($(cat "$scratch/err"))" 0 "$2"
    note "$said"
    line() { printf '%s\n' "$said" | grep "^$1: "; }
    has "$1: an unknown profile" invalid_input "$(line refused)"
    has "$1: its tools" file_read "$said"
    has "$1: its tools" greet "$(line "tools*")"
    has "$1: a shipped tool" 42 "$(line calculator)"
    has "$1: a created tool" "hello Ann" "$(line greet)"
    has "$1: an event" "progress" "$(line event)"
    has "$1: its failure" tool_failed "$(line nobody)"
    has "$1: a name that exists" already_exists "$(line again)"
    has "$1: a question" confirm "$(line asked)"
    has "$1: its answer" "went on" "$(line asker)"
    has "$1: consent" careful "$(line consent)"
    has "$1: a call with consent" success "$(line careful)"
    has "$1: a call that is cancelled" cancelled "$(line cancelled | sed 's/^cancelled: //')"
    has "$1: a reload" 0 "$(line reload)"
    has "$1: the end of its tool" greet "$(line released)"
}
# c_program SOURCE PROGRAM
c_program() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" "$1" -o "$2" \
        -L"${library%/*}" -ltoolhost -Wl,-rpath,"${library%/*}"
}
if c_program "$source_root/tests/packaging/embedder/embedder.c" "$scratch/embedder_c"; then
    said=$("$scratch/embedder_c" "$plugins" 2>"$scratch/err")
    saw C $?
else
    fail "the C embedder does not build"
fi
said=$(python3 "$source_root/tests/packaging/embedder/embedder.py" "$library" "$plugins" \
    2>"$scratch/err")
saw Python $?

# The programs of the guide, as written.
guide=$scratch/guide
mkdir "$guide"
block() { # prints a code block, by default the first
    awk -v fence='```'"$1" -v number="${2:-1}" '$0 == fence { on = ++count == number; next }
        $0 == "```" { on = 0 } on' "$source_root/docs/embedding.md"
}
block cmake >"$guide/CMakeLists.txt"
block cpp >"$guide/agent.cpp"
build "$guide" "$guide/build" || fail "the guide's program: $(cat "$scratch/log")"
said=$("$guide/build/agent" 2>&1)
same "exit code of the guide's program" 0 $?
has "the guide's program" 42 "$said"
has "the guide's program, its list" file_read "$said"
block cpp 2 >"$guide/agent.cpp"
build "$guide" "$guide/build" || fail "the guide's tool: $(cat "$scratch/log")"
said=$("$guide/build/agent" 2>&1)
same "exit code of the guide's tool" 0 $?
has "the guide's tool" "3 rows" "$said"
block c >"$guide/agent.c"
c_program "$guide/agent.c" "$guide/agent_c" || fail "the guide's C program does not build"
said=$("$guide/agent_c" 2>&1)
same "exit code of the guide's C program" 0 $?
has "the guide's C program" 42 "$said"
has "the guide's C program, its own tool" "3 rows" "$said"
block python | sed "s|libtoolhost.so.1|$library|" >"$guide/agent.py"
said=$(python3 "$guide/agent.py" 2>&1)
same "exit code of the guide's Python program" 0 $?
has "the guide's Python program" 42 "$said"
has "the guide's Python program, its own tool" "3 rows" "$said"
finish
