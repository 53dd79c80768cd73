#!/bin/sh
# follow.sh PAGE BUILD [--sh]: installs BUILD into a scratch prefix, then does what PAGE says in an
# empty folder. Without --sh only blocks with shown output are executed.
set -eu
page=$1 build=$2 follow_sh=0
[ "${3-}" = --sh ] && follow_sh=1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for component in host sdk; do
    cmake --install "$build" --prefix "$scratch/prefix" --component $component >"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; exit 1; }
done
mkdir "$scratch/empty" "$scratch/home"
sh "$here/follow_page.sh" "$page" $follow_sh >"$scratch/script"
cd "$scratch/empty"
env PATH="$scratch/prefix/bin:$PATH" HOME="$scratch/home" CMAKE_PREFIX_PATH="$scratch/prefix" \
    XDG_CACHE_HOME="$scratch/home/cache" XDG_DATA_HOME="$scratch/home/data" NO_COLOR=1 \
    sh "$scratch/script"
