#!/bin/sh
# A program that embeds toolhost builds and runs against an installed tree, and libtoolhost.so shows
# nothing but its public functions.
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
# Templates of the standard library that are not inlined come along, weak and harmless.
same "strange symbols" "" "$(nm -D --defined-only -C "$library" |
    grep -E ' [TDBR] ' | grep -v 'toolhost::v1::')"

project=$scratch/embedder
# build SOURCE BUILD: against the installed tree alone.
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
for fixture in asker waiter; do cp "$build/fixtures/$fixture/$fixture.so" "$plugins/"; done
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
has "a reload" 'reload: the same' "$said"
has "a call at shutdown" 'shut down: "cancelled"' "$said"
has "a call after shutdown" 'late: "the host is shut down"' "$said"
# The library prints nothing itself.
same "other lines" "" "$(printf '%s\n' "$said" | grep -Ev '^(refused|tool|calculator|unknown|asked|asker|cancelled|reload|shut down|late): ')"
has "its events" '"event":"hook.tool.after"' "$(cat "$scratch/events")"

# The first program of the guide, as it stands there.
guide=$scratch/guide
mkdir "$guide"
block() { # LANGUAGE: the first code block of it
    awk -v fence='```'"$1" '$0 == fence { on = 1; next } $0 == "```" && on { exit } on' \
        "$source_root/docs/embedding.md"
}
block cmake >"$guide/CMakeLists.txt"
block cpp >"$guide/agent.cpp"
build "$guide" "$guide/build" || fail "the guide's program: $(cat "$scratch/log")"
said=$("$guide/build/agent" 2>&1)
same "exit code of the guide's program" 0 $?
has "the guide's program" 42 "$said"
has "the guide's program, its list" file_read "$said"
finish
