#!/bin/sh
# The documentation of shipped tools matches their specs: docs/tools/NAME.md is the output of
# `toolhost show NAME --markdown`, and tests/docs/shown/NAME.txt that of `toolhost show NAME` with
# 80 columns.
# usage: tool_pages.sh TOOLHOST SOURCE [update]
set -eu
toolhost=$1 source=$2 update=${3-}
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export TOOLHOST_CACHE="$cache" XDG_CONFIG_HOME="$cache" LC_ALL=C.UTF-8
unset TOOLHOST_PLUGINS TOOLHOST_PROFILE TOOLHOST_ALLOW XDG_DATA_HOME COLUMNS
export HOME="$cache"

page() { "$toolhost" show "$1" --markdown; }
# The path of the library differs between machines.
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
[ -n "$names" ] || { echo "no tool is shipped"; exit 1; }
for name in $names; do
    page "$name" >"$cache/now"
    check "$source/docs/tools/$name.md"
    shown "$name" >"$cache/now"
    check "$source/tests/docs/shown/$name.txt"
done
# A removed tool must not leave a page.
for file in "$source"/docs/tools/*.md "$source"/tests/docs/shown/*.txt; do
    name=$(basename "$file") name=${name%.*}
    [ "$name" = README ] || echo "$names" | grep -qx "$name" || { echo "$file is not of a shipped tool"; bad=1; }
done
[ $bad -eq 0 ] || echo "to update the files: sh tests/docs/tool_pages.sh TOOLHOST SOURCE update"
exit $bad
