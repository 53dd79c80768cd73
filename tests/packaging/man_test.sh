#!/bin/sh
# The manual page: well-formed, generated from the program's definitions, and complete.
# usage: man_test.sh SOURCE_ROOT TOOLHOST PAGE
set -u
source_root=$1 toolhost=$2 page=$3
# shellcheck source=tests/packaging/check.sh
. "$source_root/tests/packaging/check.sh"
scratch_folder
template=$source_root/docs/man/toolhost.1.in

if command -v groff >/dev/null; then
    same "groff's warnings" "" "$(LC_ALL=C groff -man -mandoc -ww -Tutf8 -z "$page" 2>&1)"
elif command -v man >/dev/null; then
    same "man's warnings" "" "$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)"
else
    skip "neither groff nor man is installed: the manual page is unchecked for warnings"
fi
if command -v mandoc >/dev/null; then
    same "mandoc's warnings" "" "$(mandoc -T lint -W warning "$page")"
else
    skip "mandoc is not installed: the manual page is unchecked for mdoc style"
fi

# The built page matches the program.
"$toolhost" __man "$template" "$scratch/page" || fail "toolhost __man"
cmp -s "$page" "$scratch/page" || fail "the built page is not what the program writes"
same "placeholders left" "" "$(grep '^@' "$page")"

# Every command is described, and every option in its help is listed.
commands=$("$toolhost" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
has "help" "grant" "$commands"
documented=$(sed -n 's/^\.It Fl \(.*Fl \)\{0,1\}-\([a-z-]*\).*/\2/p' "$page" | sort -u)
help=$("$toolhost" --help)
for command in $commands "profile list" "profile show"; do
    grep -q "^\.Cm $command" "$page" || [ "$command" = profile ] || fail "$command is not in the synopsis"
    grep -q "^\.It Cm ${command%% *}" "$page" || fail "$command is not described"
    # shellcheck disable=SC2086 # two words are two commands
    help="$help
$("$toolhost" help $command)" || fail "toolhost help $command"
done
helped=$(printf '%s\n' "$help" | sed -n 's/^  \(-[a-z],\)\{0,1\}--\([a-z-]*\).*/\2/p' | sort -u)
same "options of the manual page" "$helped" "$documented"

# Omissions and errors in the template are detected.
refused() { # WHAT SED_SCRIPT MESSAGE
    sed "$2" "$template" >"$scratch/template"
    rm -f "$scratch/page"
    message=$("$toolhost" __man "$scratch/template" "$scratch/page" 2>&1) && fail "$1: accepted"
    has "$1" "$3" "$message"
    [ ! -e "$scratch/page" ] || fail "$1: a page was written"
}
refused "a forgotten command" '/^@options retry@/d' 'the template lacks @options retry@'
refused "an unknown command" 's/^@options retry@/@options retyr@/' 'unknown command'
finish
