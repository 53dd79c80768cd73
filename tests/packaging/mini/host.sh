#!/bin/sh
# Stands for the host: says how it was called.
for argument in "$@"; do printf '<%s>\n' "$argument"; done
printf 'cwd %s\numask %s\n' "$(pwd -P)" "$(umask)"
[ "${1-}" != stdin ] || cat
[ "${1-}" != exit ] || exit "$2"
