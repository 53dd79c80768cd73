#!/bin/sh
# The tools that ship say the same of themselves everywhere: docs/tools/NAME.md is what `toolhost show
# NAME --markdown` prints, and tests/docs/shown/NAME.txt what `toolhost show NAME` prints at 80 columns.
# usage: tool_pages.sh TOOLHOST SOURCE [update]
set -eu
toolhost=$1 source=$2 update=${3-}
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export TOOLHOST_CACHE="$cache" XDG_CONFIG_HOME="$cache" LC_ALL=C.UTF-8
unset TOOLHOST_PLUGINS TOOLHOST_PROFILE TOOLHOST_ALLOW XDG_DATA_HOME COLUMNS
export HOME="$cache"

page() { "$toolhost" show "$1" --markdown; }
# Where the library is differs from machine to machine.
shown() { "$toolhost" show "$1" | sed '/^Library /d'; }

bad=0
check() { # FILE, against $cache/now
    if [ "$update" = update ]; then
        cp "$cache/now" "$1"
    elif ! diff -u "$1" "$cache/now"; then
        bad=1
    fi
}

names=$("$toolhost" list --names)
[ -n "$names" ] || { echo "no tool ships"; exit 1; }
for name in $names; do
    page "$name" >"$cache/now"
    check "$source/docs/tools/$name.md"
    shown "$name" >"$cache/now"
    check "$source/tests/docs/shown/$name.txt"
done
# A tool that is gone leaves no page.
for file in "$source"/docs/tools/*.md "$source"/tests/docs/shown/*.txt; do
    name=$(basename "$file") name=${name%.*}
    [ "$name" = README ] || echo "$names" | grep -qx "$name" || { echo "$file is of no tool that ships"; bad=1; }
done
[ $bad -eq 0 ] || echo "if that is meant: sh tests/docs/tool_pages.sh TOOLHOST SOURCE update"
exit $bad
