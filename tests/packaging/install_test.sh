#!/bin/sh
# cmake --install creates a tree that works in its place: the program with the shipped tools, and
# the SDK for plugins in every language with a template.
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
# Moved, to detect paths that are hard-coded.
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
