#!/bin/sh
# follow_page.sh PAGE FOLLOW_SH: prints a script that does what PAGE says (see follow.awk). The
# script fails if a command's output differs from the page, or if the page shows none.
set -eu
cat <<'EOF'
set -eu
expect() {
    echo "+ $1"
    printf %s "$2" >"$HOME/expected"
    sh -c "$1" >"$HOME/actual" 2>&1 || true
    diff -u "$HOME/expected" "$HOME/actual" && passed=$((passed + 1)) || failed=1
}
passed=0 failed=0
EOF
awk -v follow_sh="$2" -f "$(dirname "$0")/follow.awk" "$1"
# shellcheck disable=SC2016
echo 'echo "$passed commands printed the shown output"; [ $failed = 0 ] && [ $passed -gt 0 ]'
