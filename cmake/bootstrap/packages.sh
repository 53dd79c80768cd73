# shellcheck shell=sh
# Debian packages: finds missing ones and installs them. Sourced by bootstrap.sh.

# packages_of GROUP...: the packages of these groups, except those replaced by a command in PATH.
packages_of() {
    while read -r group package unless; do
        case $group in '' | '#'*) continue ;; esac
        case " $* " in *" $group "*) ;; *) continue ;; esac
        if [ -n "$unless" ] && command -v "$unless" >/dev/null 2>&1; then continue; fi
        printf ' %s' "$package"
    done <"$root/cmake/packages.txt"
}

# missing_of PACKAGE...: those that are not installed. One dpkg-query (20 ms) instead of a stamp
# file, which would be wrong after a package is removed or the tree is copied to another machine.
missing_of() {
    installed=$(LC_ALL=C dpkg-query -W -f='${Package}=${db:Status-Status} ' "$@" 2>/dev/null) || :
    for package in "$@"; do
        case " $installed" in
        *" $package=installed "*) ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

need_packages() {
    wanted=$(packages_of "$@")
    if ! command -v dpkg-query >/dev/null 2>&1; then
        need_tools "$wanted"
        return
    fi
    # Package names contain no spaces, so the list may be split.
    # shellcheck disable=SC2086
    missing=$(missing_of $wanted)
    [ -n "$missing" ] || return 0
    install_packages "$missing"
}

# Another distribution has the packages under other names, which its user knows.
need_tools() {
    for tool in c++ cmake ninja; do
        command -v "$tool" >/dev/null 2>&1 ||
            die 12 "$tool is missing, and this is not Debian; install the equivalents of:$1"
    done
}

# as_root COMMAND...: runs it as root; asks for a password only on a terminal.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 2 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi </dev/null >&2
}

may_be_root() {
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    # On a terminal sudo can ask for a password itself.
    [ -t 2 ] || sudo -n true </dev/null >/dev/null 2>&1
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"
}

install_packages() {
    line="apt-get install -y --no-install-recommends$1"
    if ! may_be_root; then
        say "these packages are missing, and only root can install them; run as root:"
        printf '    apt-get update && %s\n' "$line" >&2
        exit 12
    fi
    say "installing$1"
    # Fresh images have no package lists, and old machines outdated ones; others need no update.
    # shellcheck disable=SC2086
    if ! apt-get -qq --simulate --no-install-recommends install $1 >/dev/null 2>&1; then
        apt update || say "apt-get update failed; trying with the existing lists"
    fi
    # shellcheck disable=SC2086
    apt install -y --no-install-recommends $1 ||
        { apt update && apt install -y --no-install-recommends $1; } ||
        die 12 "could not install packages; this must succeed: $line"
    # Packages that CMake did not find before may now be installed.
    packages_changed=yes
}
