#!/bin/sh
# warm_start_test.sh TOOLHOST FIXTURES: a warm `toolhost list` opens no plugin and starts no
# process, as the kernel records. The cold start before it must do both; otherwise this test could
# not fail.
set -eu
toolhost=$1 fixtures=$2
command -v strace >/dev/null 2>&1 || { echo "SKIPPED: strace is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
strace -o "$scratch/self" true 2>/dev/null || { echo "SKIPPED: strace may not trace here"; exit 77; }
mkdir "$scratch/plugins"
cp "$fixtures/echo/echo.so" "$fixtures/adder/adder.so" \
    "$fixtures/requires_version/requires_version.so" "$scratch/plugins"
mkdir "$scratch/bin" # a command that requires_version.so asks for its version
printf '#!/bin/sh\necho 1.5.0\n' >"$scratch/bin/toolhost-test-command"
chmod 755 "$scratch/bin/toolhost-test-command"
touch -d '2020-01-01' "$scratch/bin/toolhost-test-command"
touch -d '2020-01-01' "$scratch"/plugins/*.so # young files are compared by content

trace() { # NAME
    (cd "$scratch/plugins" && PATH=$scratch/bin:$PATH TOOLHOST_CACHE=$scratch/cache strace -f -e trace=open,openat,execve -o "$scratch/$1" \
        "$toolhost" list --json --only-plugins "$scratch/plugins" >/dev/null)
}
opened() { grep -cE '(open|openat)\(.*plugins/(echo|adder)\.so' "$scratch/$1" || :; }
started() { grep -c 'execve(' "$scratch/$1" || :; }
asked() { grep -c 'execve(.*toolhost-test-command' "$scratch/$1" || :; }

trace cold
trace warm
echo "cold: $(opened cold) opens of plugins, $(started cold) programs started"
echo "warm: $(opened warm) opens of plugins, $(started warm) programs started"
[ "$(asked cold)" -ge 1 ] && [ "$(opened cold)" -ge 2 ] && [ "$(started cold)" -ge 3 ] && [ "$(opened warm)" -eq 0 ] &&
    [ "$(started warm)" -eq 1 ]
