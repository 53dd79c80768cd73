#!/bin/sh
# warm_start_test.sh TOOLHOST FIXTURES: a warm `toolhost list` opens no plugin and starts no process,
# as the kernel saw it. The cold start before it must show both, or this could not fail.
set -eu
toolhost=$1 fixtures=$2
command -v strace >/dev/null 2>&1 || { echo "SKIPPED: strace is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
strace -o "$scratch/self" true 2>/dev/null || { echo "SKIPPED: strace may not trace here"; exit 77; }
mkdir "$scratch/plugins"
cp "$fixtures/echo/echo.so" "$fixtures/adder/adder.so" "$scratch/plugins"
touch -d '2020-01-01' "$scratch"/plugins/*.so # young files are compared by content

trace() { # NAME
    TOOLHOST_CACHE=$scratch/cache strace -f -e trace=open,openat,execve -o "$scratch/$1" \
        "$toolhost" list --json --plugins "$scratch/plugins" >/dev/null
}
opened() { grep -cE '(open|openat)\(.*plugins/(echo|adder)\.so' "$scratch/$1" || :; }
started() { grep -c 'execve(' "$scratch/$1" || :; }

trace cold
trace warm
echo "cold: $(opened cold) opens of plugins, $(started cold) programs started"
echo "warm: $(opened warm) opens of plugins, $(started warm) programs started"
[ "$(opened cold)" -ge 2 ] && [ "$(started cold)" -ge 3 ] && [ "$(opened warm)" -eq 0 ] &&
    [ "$(started warm)" -eq 1 ]
