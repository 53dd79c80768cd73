#!/bin/sh
# fetch.sh DEST: puts the packages of package.json into DEST/node_modules; nothing is installed
# elsewhere, and no script of theirs runs. Does nothing when they are there already.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 DEST" >&2
    exit 2
fi
dest=$1
list=$(dirname -- "$0")/package.json
# The stamp is the list itself: another list is another set of packages.
if cmp -s "$list" "$dest/package.json"; then
    exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
    echo "npm is not installed" >&2
    exit 1
fi

new=$dest.new old=$dest.old
rm -rf "$new" "$old"
mkdir -p "$new"
cp "$list" "$new/package.json"
# Legacy peers: the SDKs name every model and database that they could talk to.
(cd "$new" && npm install --omit=dev --omit=peer --legacy-peer-deps --ignore-scripts \
    --no-package-lock --no-audit --no-fund --no-progress --loglevel=error >&2)
# Renamed into place last, so that an interrupted run is repeated and not believed.
if [ -e "$dest" ]; then mv "$dest" "$old"; fi
mv "$new" "$dest"
rm -rf "$old"
echo "MCP suite and clients: $dest" >&2
