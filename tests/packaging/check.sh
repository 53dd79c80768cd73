# shellcheck shell=sh
# Checks and their reporting for all scripts here. Sourced; a script ends with `finish`.
failures=0

note() { printf '%s\n' "$*"; }

# The reason of a skip stays visible: bootstrap.sh prints every line that starts with SKIP.
skip() { printf 'SKIP: %s\n' "$*"; }

fail() {
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}

# same WHAT EXPECTED ACTUAL
same() {
    [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

# has WHAT NEEDLE HAYSTACK
has() {
    case $3 in *"$2"*) ;; *) fail "$1: no '$2' in: $3" ;; esac
}

# hasnt WHAT NEEDLE HAYSTACK
hasnt() {
    case $3 in *"$2"*) fail "$1: unwanted '$2' in: $3" ;; esac
}

# A folder that is removed when the script ends, however it ends.
scratch_folder() {
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/toolhost-packaging.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' HUP INT TERM
}

finish() {
    [ "$failures" -eq 0 ] || note "$failures failed"
    [ "$failures" -eq 0 ]
}
