#!/bin/sh
# The Debian packages: their metadata, and that their content works.
# usage: deb_test.sh SOURCE_ROOT BUILD_DIR
set -u
umask 022
source_root=$1 build=$2
# shellcheck source=tests/packaging/check.sh
. "$source_root/tests/packaging/check.sh"
if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
    skip "dpkg-deb or dpkg-shlibdeps is not installed: no packages are made"
    exit 77
fi
scratch_folder
# shellcheck source=tests/packaging/usable.sh
. "$source_root/tests/packaging/usable.sh"
quiet_user

(cd "$build" && cpack -G DEB -B "$scratch/out") >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
}
version=$("$build/bin/toolhost" --version | sed 's/^toolhost //')
host=$scratch/out/toolhost_${version}_$(dpkg --print-architecture).deb
sdk=$scratch/out/toolhost-sdk_${version}_all.deb
same "packages" "$(printf '%s\n' "$sdk" "$host")" "$(ls "$scratch"/out/*.deb)"

field() { dpkg-deb -f "$1" "$2"; }
same "name" toolhost "$(field "$host" Package)"
same "version" "$version" "$(field "$host" Version)"
has "dependencies, from the libraries" libc6 "$(field "$host" Depends)"
has "maintainer" @ "$(field "$host" Maintainer)"
same "name of the SDK" toolhost-sdk "$(field "$sdk" Package)"
has "dependencies of the SDK" nlohmann-json3-dev "$(field "$sdk" Depends)"
hasnt "the SDK's summary" "$(field "$host" Description | head -n 1)" "$(field "$sdk" Description)"

# dpkg refuses two packages with the same file, but allows shared folders.
files() { dpkg-deb -c "$1" | awk '$1 !~ /^d/ { print $6 }' | sort; }
files "$host" >"$scratch/host.files"
files "$sdk" >"$scratch/sdk.files"
same "files of both" "" "$(comm -12 "$scratch/host.files" "$scratch/sdk.files")"
same "files outside usr" "" "$(grep -hv '^\./usr/' "$scratch/host.files" "$scratch/sdk.files")"

root=$scratch/root
dpkg-deb -x "$host" "$root" || fail "unpacking $host"
# The program contains its C++ libraries; those with security updates are the system's.
needed=$(objdump -p "$root/usr/bin/toolhost" | sed -n 's/^ *NEEDED *//p')
has "libraries of the program" libcrypto.so "$needed"
[ -f "$root/usr/share/doc/toolhost/NOTICE" ] || fail "no notices of the libraries in the program"
# The program must work without the SDK.
use_host "$root/usr" "$build/plugins"
dpkg-deb -x "$sdk" "$root" || fail "unpacking $sdk"
no_build_paths "$root" "$source_root" "$build"
use_sdk "$root/usr" c
prefix=$root/usr
build_pkg_config >"$scratch/log" 2>&1 || fail "with pkg-config: $(cat "$scratch/log")"
has "the plugin built with pkg-config" word-count \
    "$("$prefix/bin/toolhost" --only-plugins "$plugins" list --names)"
finish
