#!/bin/sh
# run.sh PACKAGES SCRIPT [ARGS]: runs a script of this folder with the packages that fetch.sh
# installed in PACKAGES, and with their node, because the machine's may be too old. Exit 77 if they
# are missing, or if TOOLHOST_WITHOUT_NPM=1.
set -eu

packages=$1 script=$2
shift 2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
if [ "${TOOLHOST_WITHOUT_NPM-}" = 1 ]; then
    echo "SKIP: TOOLHOST_WITHOUT_NPM=1"
    exit 77
fi
if ! [ -f "$packages/package.json" ]; then
    echo "SKIP: no packages in $packages; run tests/mcp/fetch.sh with it"
    exit 77
fi
for node in "$packages"/node_modules/node-linux-*/bin/node; do
    if [ -x "$node" ]; then
        TOOLHOST_MCP_PACKAGES=$packages exec "$node" --import "$here/packages.mjs" "$here/$script" "$@"
    fi
done
echo "SKIP: the packages have no node for $(uname -sm)"
exit 77
