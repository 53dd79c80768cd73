# shellcheck shell=sh
# Debian packages: which are missing, and how they get here. Sourced by bootstrap.sh.

# packages_of GROUP...: the packages of these groups, less those a command in PATH makes needless.
packages_of() {
    while read -r group package unless; do
        case $group in '' | '#'*) continue ;; esac
        case " $* " in *" $group "*) ;; *) continue ;; esac
        if [ -n "$unless" ] && command -v "$unless" >/dev/null 2>&1; then continue; fi
        printf ' %s' "$package"
    done <"$root/cmake/packages.txt"
}

# missing_of PACKAGE...: those that are not installed. One dpkg-query for all (20 ms) rather than a
# stamp file: a stamp goes stale when a package is removed or the tree is copied to another machine.
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
    # Package names have no blanks: splitting the list is what is wanted.
    # shellcheck disable=SC2086
    missing=$(missing_of $wanted)
    [ -n "$missing" ] || return 0
    install_packages "$missing"
}

# Another distribution may well have everything under other names; its user knows them better.
need_tools() {
    for tool in c++ cmake ninja; do
        command -v "$tool" >/dev/null 2>&1 ||
            die 12 "$tool is missing, and this is no Debian; install what it calls these:$1"
    done
}

# as_root COMMAND...: run it with root's rights, without a question where nobody could answer.
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
    # On a terminal sudo can ask for a password by itself.
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
    # Fresh images carry no package lists and old machines stale ones; all others need no update.
    # shellcheck disable=SC2086
    if ! apt-get -qq --simulate --no-install-recommends install $1 >/dev/null 2>&1; then
        apt update || say "apt-get update failed; trying with the lists at hand"
    fi
    # shellcheck disable=SC2086
    apt install -y --no-install-recommends $1 ||
        { apt update && apt install -y --no-install-recommends $1; } ||
        die 12 "could not install packages; this must succeed: $line"
    # What CMake found missing before may be there now.
    packages_changed=yes
}
