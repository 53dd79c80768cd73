# shellcheck shell=sh
# Checks that an installed tree works, whether from cmake --install or from the packages. Sourced
# after check.sh and its scratch_folder.
: "${scratch:?}"

# Excludes the user's own folders and settings.
quiet_user() {
    mkdir -p "$scratch/home"
    # rustup keeps its compilers in the home folder.
    export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}"
    export HOME="$scratch/home"
    unset TOOLHOST_PLUGINS TOOLHOST_PROFILE TOOLHOST_ALLOW XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
    export TOOLHOST_CACHE="$scratch/cache"
}

# use_host PREFIX SHIPPED: the program lists the tools of SHIPPED, a folder of built plugins, from
# the tree itself.
use_host() {
    listed=$("$1/bin/toolhost" list --names 2>"$scratch/err") || fail "list: $(cat "$scratch/err")"
    [ -n "$listed" ] || fail "list shows no tool"
    same "tools of $1" "$("$1/bin/toolhost" --only-plugins "$2" list --names)" "$listed"
    json=$("$1/bin/toolhost" list --json)
    hasnt "list --json, its files" "$2" "$json"
    has "list --json, its files" "$1/lib/toolhost/plugins" \
        "$("$1/bin/toolhost" show "$(printf '%s\n' "$listed" | head -n 1)" --json)"
    for file in share/man/man1/toolhost.1 share/bash-completion/completions/toolhost \
        share/zsh/vendor-completions/_toolhost share/fish/vendor_completions.d/toolhost.fish \
        share/doc/toolhost/copyright; do
        [ -s "$1/$file" ] || fail "not installed: $file"
    done
    same "what others may write" "" "$(find "$1" -perm -o+w ! -type l)"
}

# Text files must not contain the build folder.
no_build_paths() { # TREE SOURCE_ROOT BUILD_DIR
    same "texts with build paths" "" "$(grep -rIlF -e "$2/" -e "$3/" "$1")"
}

# use_sdk PREFIX LANGUAGE...: creates a plugin in each language, builds it with PREFIX only and
# calls it.
use_sdk() {
    prefix=$1
    shift
    for page in TOOL_DEVELOPMENT sdk cookbook abi validator; do
        [ -s "$prefix/share/doc/toolhost-sdk/$page.md" ] || fail "not installed: $page.md"
    done
    for language in "$@"; do
        project=$scratch/new-$language/word-count
        rm -rf "${project%/*}"
        "$prefix/bin/toolhost" new word-count --lang "$language" --dir "${project%/*}" >/dev/null ||
            fail "toolhost new --lang $language"
        "build_$language" >"$scratch/log" 2>&1 || {
            fail "$language: $(cat "$scratch/log")"
            continue
        }
        result=$("$prefix/bin/toolhost" --plugins "$plugins" call word-count text='to be or not' --json)
        same "$language: exit code of the call" 0 $?
        has "$language: the result" '"words":4' "$(printf %s "$result" | tr -d ' \n')"
        note "$language: built, tested and called"
    done
}

build_cpp() {
    plugins=$project/build/plugins
    cmake -G Ninja -S "$project" -B "$project/build" -DCMAKE_PREFIX_PATH="$prefix" \
        -DTOOLHOST="$prefix/bin/toolhost" &&
        cmake --build "$project/build" &&
        ctest --test-dir "$project/build" --output-on-failure --no-tests=error &&
        ! grep -q Skipped "$project/build/Testing/Temporary/LastTest.log" &&
        # Optimized by default, and installed in the user's plugin folder.
        grep -qx 'CMAKE_BUILD_TYPE:STRING=Release' "$project/build/CMakeCache.txt" &&
        cmake --install "$project/build" --prefix "$project/installed" &&
        cmp "$plugins/word-count.so" "$project/installed/share/toolhost/plugins/word-count.so" &&
        # Found here, not one that this machine may have installed.
        grep -F "toolhost-sdk_DIR:PATH=$prefix/" "$project/build/CMakeCache.txt"
}

build_c() { build_cpp; }

build_rust() {
    plugins=$project/plugins
    make -C "$project" &&
        make -C "$project" test TOOLHOST="$prefix/bin/toolhost" &&
        make -C "$project" install PLUGINS="$project/installed" &&
        cmp "$plugins/word-count.so" "$project/installed/word-count.so" &&
        build_rust_2024
}

# The same source in the newest edition, if the compiler supports it.
build_rust_2024() {
    rustc --edition 2024 --crate-type lib --crate-name none -o "$scratch/none.rlib" - </dev/null 2>/dev/null ||
        { skip "rustc does not know edition 2024"; return 0; }
    make -C "$project" clean && make -C "$project" EDITION=2024 RUSTC='rustc -D warnings'
}

# With a compiler and pkg-config only, as in other build systems. Flags are words:
# shellcheck disable=SC2086
build_pkg_config() {
    project=$scratch/new-pkg-config/word-count plugins=$scratch/new-pkg-config
    "$prefix/bin/toolhost" new word-count --dir "$plugins" &&
        flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags toolhost-sdk) &&
        exports=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --variable=exportmap toolhost-sdk) &&
        "${CXX:-c++}" -std=c++20 -shared -fPIC $flags "$project/word-count.cpp" \
            -Wl,--version-script="$exports" -o "$plugins/word-count.so"
}
