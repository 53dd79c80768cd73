#!/bin/sh
# fetch.sh DEST: puts the official JSON Schema test suite (tests/ and remotes/) into DEST, out of
# Debian's package; nothing is installed. Does nothing when it is there already.
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
# Renamed into place last, so that an interrupted run is repeated and not believed.
for part in remotes tests; do
    rm -rf "$dest/$part.new" "$dest/$part"
    cp -R "$work/unpacked/$inside/$part" "$dest/$part.new"
    mv "$dest/$part.new" "$dest/$part"
done
echo "JSON Schema test suite: $dest" >&2
