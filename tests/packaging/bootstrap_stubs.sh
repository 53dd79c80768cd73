# shellcheck shell=sh
# A simulated machine for bootstrap.sh: its PATH contains only linked and stubbed programs, so that
# tests never install a package or run the real sudo. Sourced after check.sh.

# make_machine DIR TOOL...: creates DIR/bin with links to these tools and the stubs. STUB_MISSING
# (packages, separated by spaces), STUB_UID and STUB_APT_FAILS control the stubs; calls of apt-get
# are recorded in DIR/apt.log.
make_machine() {
    machine=$1
    shift
    mkdir -p "$machine/bin"
    for tool in "$@"; do
        # `env` searches PATH only; the shell would answer with its built-in `true`.
        path=$(env which "$tool") || continue
        ln -sf "$path" "$machine/bin/$tool"
    done
    stub dpkg-query <<'END'
for word in "$@"; do
    case $word in -*) continue ;; esac
    case " ${STUB_MISSING-} " in
    *" $word "*) echo "no packages found matching $word" >&2 ;;
    *) printf '%s=installed ' "$word" ;;
    esac
done
[ -z "${STUB_MISSING-}" ]
END
    stub id <<'END'
echo "${STUB_UID-1000}"
END
    stub apt-get <<END
echo "\$*" >>"$machine/apt.log"
echo "noise of apt-get"
case "\$*" in *--simulate*) exit 0 ;; esac
cat >/dev/null
exit "\${STUB_APT_FAILS-0}"
END
}

stub() { # NAME, the script on stdin
    rm -f "$machine/bin/$1"
    { echo '#!/bin/sh'; cat; } >"$machine/bin/$1"
    chmod +x "$machine/bin/$1"
}

# A copy of the miniature project with the real bootstrap.sh, in a folder with a space in its name.
make_mini() { # SOURCE_ROOT DIR
    mkdir -p "$2/cmake"
    cp "$1"/tests/packaging/mini/* "$2/"
    chmod +x "$2/host.sh" "$2/fuzzer.sh"
    cp -R "$1/cmake/bootstrap.sh" "$1/cmake/bootstrap" "$1/cmake/packages.txt" "$2/cmake/"
}
