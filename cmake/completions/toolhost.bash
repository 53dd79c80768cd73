# bash completion of toolhost(1). Does not need the bash-completion package.

_toolhost() {
    local -a words lines
    local line=${COMP_LINE:0:COMP_POINT} cur kind word
    # Bash splits words at = and :, the program does not.
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=('')
    cur=${words[-1]}
    mapfile -t lines < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null </dev/null)
    kind=${lines[0]-}
    COMPREPLY=()
    if [[ $cur == -*=* || $cur == write=* ]]; then cur=${cur#*=}; fi
    case $kind in
    folders)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        ;;
    files)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        ;;
    files@) mapfile -t COMPREPLY < <(compgen -f -P @ -- "${cur#@}") ;;
    words)
        for word in "${lines[@]:1}"; do
            word=${word%%$'\t'*}
            [[ $word != "$cur"* ]] || COMPREPLY+=("$word")
        done
        ;;
    esac
}

complete -F _toolhost toolhost
