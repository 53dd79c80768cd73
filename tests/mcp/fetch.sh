#!/bin/sh
# fetch.sh DEST: installs the packages of package.json into DEST/node_modules; nothing is installed
# elsewhere, and their scripts are not run. Does nothing if they are already there.
#
# package-lock.json fixes the versions of all dependencies, so that future releases cannot break
# these tests. After a change of package.json, run in this folder:
#   npm install --package-lock-only --omit-lockfile-registry-resolved --legacy-peer-deps --ignore-scripts
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 DEST" >&2
    exit 2
fi
dest=$1
here=$(dirname -- "$0")
# The lists themselves are the stamp: other lists mean other packages.
if cmp -s "$here/package.json" "$dest/package.json" &&
    cmp -s "$here/package-lock.json" "$dest/package-lock.json"; then
    exit 0
fi
fail() {
    echo "the MCP suite and clients cannot be fetched: $*" >&2
    exit 1
}
command -v npm >/dev/null 2>&1 || fail "npm is not installed (Debian: apt-get install npm)"

new=$dest.new old=$dest.old

# Legacy peers: the SDKs list every model and database that they support. Not `npm ci`, which
# requests packages of other platforms that a registry may lack.
install_packages() {
    rm -rf "$new" "$old"
    mkdir -p "$new"
    cp "$here/package.json" "$here/package-lock.json" "$new"
    (cd "$new" && npm install --omit=dev --omit=peer --legacy-peer-deps --ignore-scripts \
        --no-audit --no-fund --no-progress --loglevel=error \
        --fetch-timeout=60000 --fetch-retries=1 --fetch-retry-mintimeout=2000 \
        --fetch-retry-maxtimeout=2000 </dev/null >&2)
}

# npm itself retries single requests; a registry that is temporarily unavailable needs more.
for pause in 5 15 none; do
    if install_packages; then break; fi
    [ "$pause" != none ] || fail "npm install failed three times, see above; \`npm ping\` says whether" \
        "its registry answers"
    echo "npm install failed; once more in $pause s" >&2
    sleep "$pause"
done
# An optional package for each platform: npm silently omits it if it is unavailable.
found=
for node in "$new"/node_modules/node-linux-*/bin/node; do
    if [ -x "$node" ] && "$node" --version >/dev/null 2>&1; then found=$node; fi
done
[ -n "$found" ] || fail "no node for $(uname -sm) came with them"
# The stamp, which npm may have rewritten.
cp "$here/package.json" "$here/package-lock.json" "$new"
# Renamed last, so that an interrupted run is repeated.
if [ -e "$dest" ]; then mv "$dest" "$old"; fi
mv "$new" "$dest"
rm -rf "$old"
echo "MCP suite and clients: $dest" >&2
