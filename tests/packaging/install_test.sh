#!/bin/sh
# cmake --install gives a tree that works where it is put: the program with the tools that ship, and
# the SDK for plugins in every language that has a template.
# usage: install_test.sh SOURCE_ROOT BUILD_DIR
set -u
umask 022
source_root=$1 build=$2
# shellcheck source=tests/packaging/check.sh
. "$source_root/tests/packaging/check.sh"
scratch_folder
# shellcheck source=tests/packaging/usable.sh
. "$source_root/tests/packaging/usable.sh"
quiet_user

cmake --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
}
# Moved, because a tree that knows its place only by heart is found out that way.
prefix=$scratch/moved
mv "$scratch/first" "$prefix"
use_host "$prefix" "$build/plugins"
no_build_paths "$prefix" "$source_root" "$build"

use_sdk "$prefix" cpp c
if rustc --version >/dev/null 2>&1; then
    use_sdk "$prefix" rust
else
    skip "there is no working rustc: the Rust plugin is neither built nor called"
fi
finish
