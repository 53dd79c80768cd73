#!/bin/sh
# The completions: their syntax in each installed shell, and the candidates in bash and fish.
# usage: completions_test.sh SOURCE_ROOT TOOLHOST
set -u
source_root=$1 toolhost=$2
# shellcheck source=tests/packaging/check.sh
. "$source_root/tests/packaging/check.sh"
scratch_folder
completions=$source_root/cmake/completions

# The built host in PATH; `folder` contains a single library.
umask 022
mkdir "$scratch/bin" "$scratch/folder"
ln -s "$toolhost" "$scratch/bin/toolhost"
cp "${toolhost%/bin/*}/plugins/git.so" "$scratch/folder"
PATH=$scratch/bin:$PATH
cd "$scratch" || exit 1
echo '{}' >input.json

# offers SHELL LINE EXPECTED: the candidates at the end of LINE, sorted, separated by spaces.
offers() {
    same "$1: $2" "$3" "$("$1_offers" "$2" | sort | tr '\n' ' ' | sed 's/ $//')"
}

bash_offers() {
    # Bash itself splits words at = and :, and replaces the last of them.
    LINE=$1 bash --norc --noprofile -c '
        source "$0"
        COMP_LINE=$LINE COMP_POINT=${#LINE}
        _toolhost
        printf "%s\n" "${COMPREPLY[@]}"' "$completions/toolhost.bash"
}

fish_offers() {
    # shellcheck disable=SC2016
    HOME=$scratch LINE=$1 fish --no-config -c '
        source $argv[1]
        complete -C "$LINE" | string replace -r "\t.*" ""' "$completions/toolhost.fish"
}

# The commands that `toolhost help` lists, sorted, blank-separated.
commands=$(toolhost help | sed -n '/^Commands:$/,/^$/s/^  \([a-z][a-z]*\)  .*/\1/p' |
    sort | tr '\n' ' ' | sed 's/ $//')
case $commands in *"list new"*) ;; *) fail "toolhost help lists: $commands" ;; esac

check_offers() {
    offers "$1" 'toolhost ' "$commands"
    offers "$1" 'toolhost --json sh' 'show'
    offers "$1" 'toolhost show file_' 'file_list file_read file_search file_write'
    offers "$1" 'toolhost --plugins folder call file_r' 'file_read'
    offers "$1" 'toolhost --only-plugins folder call ' 'git'
    offers "$1" 'toolhost call --set a=1 file_r' 'file_read'
    offers "$1" 'toolhost call file_read --ti' '--timeout'
    offers "$1" 'toolhost help gr' 'grant'
    offers "$1" 'toolhost show file_read --no-p' '--no-pager'
    offers "$1" 'toolhost call file_read file_' ''
    offers "$1" 'toolhost --log-level d' 'debug'
    offers "$1" 'toolhost new x --lang ' 'c cpp rust'
    offers "$1" 'toolhost list --de' '--deprecated'
    offers "$1" 'toolhost doctor --de' ''
    offers "$1" 'toolhost test x --ju' '--junit'
    offers "$1" 'toolhost grant file_r' 'file_read'
    offers "$1" 'toolhost grant file_read n' 'network'
    offers "$1" 'toolhost retry file_r' 'file_read'
    offers "$1" 'toolhost retry --al' '--all'
    offers "$1" 'toolhost serve --oauth-a' '--oauth-audience'
    offers "$1" 'toolhost serve --token-file inp' 'input.json'
    offers "$1" 'toolhost token ann --re' '--remove --replace'
    offers "$1" 'toolhost token --file x --re' '--remove --replace'
    offers "$1" 'toolhost profile sh' 'show'
    offers "$1" 'toolhost profile show lock' 'locked-down'
    offers "$1" 'toolhost --profile lock' 'locked-down'
}

if command -v bash >/dev/null; then
    bash -n "$completions/toolhost.bash" || fail "bash -n"
    check_offers bash
    offers bash 'toolhost --only-plugins=folder show ' 'git'
    offers bash 'toolhost --log-level=d' 'debug'
    offers bash 'toolhost grant git write=fo' 'folder'
    offers bash 'toolhost --plugins fo' 'folder'
    offers bash 'toolhost call file_read @inp' '@input.json'
else
    skip "bash is not installed"
fi
if command -v zsh >/dev/null; then
    zsh -n "$completions/_toolhost" || fail "zsh -n"
else
    skip "zsh is not installed: its completion's syntax is unchecked"
fi
if command -v fish >/dev/null; then
    fish --no-execute "$completions/toolhost.fish" || fail "fish --no-execute"
    check_offers fish
    offers fish 'toolhost --plugins fo' 'folder/'
    offers fish 'toolhost --log-level=d' '--log-level=debug'
else
    skip "fish is not installed: its completion is unchecked"
fi
finish
