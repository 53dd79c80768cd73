# shellcheck shell=sh
# A machine to order for bootstrap.sh: a PATH that holds only what is linked or stubbed here, so
# that no test ever installs a package, and the real sudo is out of reach. Sourced after check.sh.

# make_machine DIR TOOL...: DIR/bin with links to these tools and the stubs. What the stubs do is
# steered by STUB_MISSING (packages, blank-separated), STUB_UID, STUB_APT_FAILS; what was asked of
# apt-get is noted in DIR/apt.log.
make_machine() {
    machine=$1
    shift
    mkdir -p "$machine/bin"
    for tool in "$@"; do
        # `env` looks in PATH alone; the shell would answer with its own `true`.
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

# A copy of the miniature project with the real bootstrap.sh, in a folder with a blank in its name.
make_mini() { # SOURCE_ROOT DIR
    mkdir -p "$2/cmake"
    cp "$1"/tests/packaging/mini/* "$2/"
    chmod +x "$2/host.sh" "$2/fuzzer.sh"
    cp -R "$1/cmake/bootstrap.sh" "$1/cmake/bootstrap" "$1/cmake/packages.txt" "$2/cmake/"
}
