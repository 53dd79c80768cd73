#!/bin/sh
# fetch.sh DEST: extracts the official JSON Schema test suite (tests/ and remotes/) from Debian's
# package to DEST, without installing anything. Does nothing if it is already there.
set -eu

package=libtest-json-schema-acceptance-perl
inside=usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance

if [ $# -ne 1 ]; then
    echo "usage: $0 DEST" >&2
    exit 2
fi
dest=$1
if [ -d "$dest/tests" ] && [ -d "$dest/remotes" ]; then
    exit 0
fi

mkdir -p "$dest"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
(cd "$work" && apt-get download -q "$package" >&2)
dpkg -x "$work"/"$package"_*.deb "$work/unpacked"
# Renamed last, so that an interrupted run is repeated.
for part in remotes tests; do
    rm -rf "$dest/$part.new" "$dest/$part"
    cp -R "$work/unpacked/$inside/$part" "$dest/$part.new"
    mv "$dest/$part.new" "$dest/$part"
done
echo "JSON Schema test suite: $dest" >&2
