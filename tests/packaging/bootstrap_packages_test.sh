#!/bin/sh
# bootstrap.sh and packages: as root, with sudo, and the refusal without both.
# usage: bootstrap_packages_test.sh SOURCE_ROOT
set -u
source_root=$1
here=$source_root/tests/packaging
# shellcheck source=tests/packaging/check.sh
. "$here/check.sh"
# shellcheck source=tests/packaging/bootstrap_stubs.sh
. "$here/bootstrap_stubs.sh"
scratch_folder

mini=$scratch/mini
make_mini "$source_root" "$mini"
make_machine "$scratch/machine" sh dirname cat awk grep cmake ctest ninja flock mkdir nproc date rm \
    find env true
export STUB_MISSING STUB_UID STUB_APT_FAILS
apt_log=$scratch/machine/apt.log

# bootstrap ARGS: sets out, err and code; apt.log contains only this run's lines.
bootstrap() {
    : >"$apt_log"
    out=$(PATH="$scratch/machine/bin" sh "$mini/cmake/bootstrap.sh" "$@" 2>"$scratch/err" </dev/null)
    code=$?
    err=$(cat "$scratch/err")
}

# Every listed package exists under its name, if apt is available.
named=$(awk '$1 !~ /^#/ && NF { print $2 }' "$source_root/cmake/packages.txt" | sort)
# shellcheck disable=SC2086
known=$(LC_ALL=C apt-cache policy $named 2>/dev/null |
    awk '/^[^ ]/ { name = $1; sub(/:$/, "", name) } /Candidate: [0-9]/ { print name }' | sort)
if [ -n "$known" ]; then
    same "packages that apt knows" "$named" "$known"
else
    skip "apt has no package lists here: the names in packages.txt are unchecked"
fi

note "without root and sudo"
STUB_MISSING="cmake libssl-dev" STUB_UID=1000 STUB_APT_FAILS=0
bootstrap run list
same "exit code" 12 "$code"
same "stdout" "" "$out"
has "stderr" "apt-get install -y --no-install-recommends cmake libssl-dev" "$err"
same "calls of apt-get" "" "$(cat "$apt_log")"
[ ! -e "$mini/build" ] || fail "built although packages are missing"

note "as root"
STUB_UID=0
bootstrap run hello
same "exit code" 0 "$code"
same "stdout's first line" "<hello>" "$(printf '%s\n' "$out" | head -n 1)"
has "apt-get" "install -y --no-install-recommends cmake libssl-dev" "$(cat "$apt_log")"
hasnt "update, needless" update "$(cat "$apt_log")"

note "as root, and apt-get fails"
STUB_APT_FAILS=100
bootstrap run hello
same "exit code" 12 "$code"
has "an update was tried" update "$(cat "$apt_log")"
STUB_APT_FAILS=0

note "through sudo"
stub sudo <<'END'
[ "$1" = -n ] || { echo "asked for a password" >&2; exit 1; }
shift
[ "$1" = true ] || echo "as root: $*" >&2
exec "$@"
END
STUB_UID=1000
bootstrap run hello
same "exit code" 0 "$code"
has "sudo" "as root: env DEBIAN_FRONTEND=noninteractive" "$err"
rm "$scratch/machine/bin/sudo"

note "a compiler from elsewhere"
STUB_MISSING="rustc jq"
bootstrap test
same "exit code" 12 "$code"
has "wanted without rustc in PATH" " jq rustc" "$err"
stub rustc </dev/null
bootstrap test
hasnt "wanted with rustc in PATH" rustc "$err"
has "wanted all the same" jq "$err"

note "only what a command needs"
STUB_MISSING="doctest-dev gcovr libbenchmark-dev"
bootstrap run hello
same "exit code of run" 0 "$code"
bootstrap test
hasnt "wanted by test" gcovr "$err"

note "no Debian"
rm "$scratch/machine/bin/dpkg-query"
stub c++ </dev/null
bootstrap run hello
same "exit code with the tools there" 0 "$code"
rm "$scratch/machine/bin/ninja"
bootstrap run hello
same "exit code without" 12 "$code"
finish
