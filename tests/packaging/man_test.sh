#!/bin/sh
# The manual page: well formed, and as complete as the program's own help.
# usage: man_test.sh SOURCE_ROOT TOOLHOST
set -u
source_root=$1 toolhost=$2
# shellcheck source=tests/packaging/check.sh
. "$source_root/tests/packaging/check.sh"
page=$source_root/docs/man/toolhost.1

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

# Options of the page (where `--` is `Fl -`) and of the program's help: the same, for pages rot.
documented=$(sed -n 's/^\.It Fl -\([a-z-]*\).*/\1/p' "$page" | sort -u)
help=$("$toolhost" --help 2>&1) || fail "toolhost --help: $help"
commands=$(sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' "$page")
for command in $commands; do
    has "help" "$command" "$help"
    more=$("$toolhost" "$command" --help 2>&1) || fail "toolhost $command --help: $more"
    all="${all-$help}
$more"
done
helped=$(printf '%s\n' "$all" | grep -o -- '--[a-z][a-z-]*' | sed 's/^--//' | sort -u)
same "options of the manual page" "$helped" "$documented"
finish
