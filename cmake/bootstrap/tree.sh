# shellcheck shell=sh
# Build trees: build/PRESET, configured once, updated before every use. Sourced by bootstrap.sh.

packages_changed=no

# need_built PRESET TESTS TARGET...: TESTS ON also configures the tests. OFF does not change that,
# so `run` neither needs the test packages nor drops the configuration of `test`.
need_built() {
    tree=$root/build/$1
    # Checking first takes 10 ms and needs neither the lock nor write access, so a finished tree
    # starts at once, for other users and during another build.
    if is_configured "$tree" "$2" && is_current "$@"; then return 0; fi
    build_locked "$@" || die 70 "the build of $1 failed (see above)"
}

# A tree that was copied or moved together with its sources would still compile the old ones, so the
# folder that it was configured for is stored in it.
is_configured() {
    [ "$packages_changed" = no ] && [ -f "$1/build.ninja" ] && [ -f "$1/.configured" ] || return 1
    { read -r for_root && read -r for_tests; } <"$1/.configured" || return 1
    [ "$for_root" = "$root" ] && { [ "$2" = OFF ] || [ "$for_tests" = ON ]; }
}

is_current() {
    shift 2
    case $(ninja -C "$tree" -n "$@" 2>&1 </dev/null) in
    *'ninja: no work to do.'*) return 0 ;;
    esac
    return 1
}

# A subshell limits the scope of the lock, the locale and the umask. The umask is set because the
# host refuses plugins that others may write, and a private umask would exclude other users.
build_locked() (
    umask 022
    LC_ALL=C.UTF-8
    export LC_ALL
    mkdir -p "$root/build" || exit
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$tree.lock"
        if ! flock -n 9; then
            say "waiting for another build of $1"
            flock 9
        fi
    fi
    is_configured "$tree" "$2" || configure "$1" "$2" || exit
    shift 2
    # Compilers must not inherit the locks (8 is check.sh's), because they may outlive an
    # interrupted build.
    run_ninja "$@" </dev/null >&2 8>&- 9>&-
)

# Runs ninja without its messages for an up-to-date tree: another build was faster, or a watched
# folder (CONFIGURE_DEPENDS) was only checked again.
run_ninja() {
    code=$({
        { ninja -C "$tree" -j "$(jobs_here)" "$@" 2>&1 || echo $? >&3; } |
            grep --line-buffered -v -e '^ninja: Entering directory' -e '^ninja: no work to do' \
                -e 'Re-checking globbed directories' >&2 || :
    } 3>&1)
    return "${code:-0}"
}

configure() {
    cache=$tree/CMakeCache.txt
    if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        say "build/$1 was configured for another folder: starting from scratch"
        rm -rf "${tree:?}"
    fi
    tests=$2
    if [ "$tests" = OFF ] && grep -qs '^TOOLHOST_BUILD_TESTS:BOOL=ON' "$cache"; then tests=ON; fi
    mkdir -p "$tree" || return
    say "configuring build/$1"
    if ! cmake -S "$root" --preset "$1" -DTOOLHOST_BUILD_TESTS="$tests" \
        </dev/null >"$tree/configure.log" 2>&1 8>&- 9>&-; then
        cat "$tree/configure.log" >&2
        return 1
    fi
    printf '%s\n%s\n' "$root" "$tests" >"$tree/.configured"
    say "building build/$1 (the first time takes minutes)"
}

# ninja's default is two jobs more than cores, which needs too much memory on small machines.
jobs_here() { nproc 2>/dev/null || echo 2; }
