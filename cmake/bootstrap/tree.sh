# shellcheck shell=sh
# Build trees: build/PRESET, configured once, brought up to date before every use.
# Sourced by bootstrap.sh.

packages_changed=no

# need_built PRESET TESTS TARGET...: TESTS ON configures the tests too; OFF leaves it as it is, so
# that `run` neither needs the test packages nor throws away what `test` configured.
need_built() {
    tree=$root/build/$1
    # Asking first costs 10 ms and needs neither the lock nor write access, so a finished tree
    # starts at once, for other users and beside a build that is under way.
    if is_configured "$tree" "$2" && is_current "$@"; then return 0; fi
    build_locked "$@" || die 70 "the build of $1 failed (see above)"
}

# A tree remembers the folder it was configured for: one copied or moved along with its sources
# would otherwise go on compiling the old ones.
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

# In a subshell, for the lock, the locale and the umask to end with it. The umask: plugins that
# others may write are refused by the host, and a private umask would lock other users out.
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
    # No compiler may hold a lock (8 is check.sh's) should it outlive an interrupted build.
    run_ninja "$@" </dev/null >&2 8>&- 9>&-
)

# Ninja, less what it says when there was nothing to do after all: another build was faster, or
# CMake watches a folder (CONFIGURE_DEPENDS) and only looking again could tell.
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
        say "build/$1 was made for another folder: starting it afresh"
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

# Ninja's own default is two more than there are cores, too much memory for small machines.
jobs_here() { nproc 2>/dev/null || echo 2; }
