# bash completion of toolhost(1). Needs nothing of the bash-completion package.

# Tool names as the host sees them with the folders of the line being typed.
_toolhost_tools() {
    local -a given=()
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --plugins | --only-plugins)
            # Bash splits at `=`: --plugins=DIR is three words.
            if [[ ${COMP_WORDS[i + 1]} == = ]]; then
                given+=("${COMP_WORDS[i]}" "${COMP_WORDS[i + 2]}")
            else
                given+=("${COMP_WORDS[i]}" "${COMP_WORDS[i + 1]}")
            fi
            ;;
        esac
    done
    "${COMP_WORDS[0]}" "${given[@]}" --log-level off list --names 2>/dev/null </dev/null
}

_toolhost_folders() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}

_toolhost_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_toolhost_profiles() {
    "${COMP_WORDS[0]}" --log-level off profile list --names 2>/dev/null </dev/null
}

_toolhost_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

_toolhost() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local global='--plugins --only-plugins --profile --config --json --log-level --no-cache --probe-timeout --version --help'
    local command='' positional=0 i
    COMPREPLY=()

    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --plugins | --only-plugins | --timeout | --set | --profile | --config | --log-level | --probe-timeout | --category | --family | \
            --state | --answer | --events | --batch | --jobs | --lang | --dir | --http | --grace | \
            --max-calls | --max-request | --token-file | --tls-cert | --tls-key | --oauth-issuer | \
            --oauth-audience | --oauth-jwks | --oauth-profile | --oauth-profiles | \
            --oauth-profile-claim | --oauth-scope | --allow-host | --allow-origin | \
            --max-connections | --max-sessions | --max-share | --file | \
            --provider | --schemas)
            if [[ ${COMP_WORDS[i + 1]} == = ]]; then ((i += 2)); else ((i++)); fi
            # The value itself may have a `=`: --set KNOB=VALUE.
            while [[ ${COMP_WORDS[i + 1]} == = ]]; do ((i += 2)); done
            ;;
        -*) ;;
        *) if [[ -z $command ]]; then command=${COMP_WORDS[i]}; else ((positional++)); fi ;;
        esac
    done

    case $prev in
    --plugins | --only-plugins | --dir) _toolhost_folders; return ;;
    --config | --events | --batch | --file | --junit | --token-file | --tls-cert | --tls-key | --oauth-jwks)
        _toolhost_files
        return
        ;;
    --profile | --oauth-profile | --oauth-profiles) _toolhost_words "$(_toolhost_profiles)"; return ;;
    --log-level) _toolhost_words 'trace debug info warn error off'; return ;;
    --lang) _toolhost_words 'cpp c rust'; return ;;
    --provider) _toolhost_words 'anthropic openai gemini'; return ;;
    --schemas) _toolhost_words 'full plain'; return ;;
    --category) _toolhost_words 'http file_ops data system compute'; return ;;
    --timeout | --set | --probe-timeout | --family | --state | --answer | --jobs | --only | --http | --grace | --max-calls | \
        --max-request | --max-connections | --max-sessions | --max-share | --allow-host | \
        --allow-origin | --oauth-issuer | --oauth-audience | --oauth-scope | --oauth-profile-claim) return ;;
    esac

    case $command in
    '')
        if [[ $cur == -* ]]; then
            _toolhost_words "$global"
        else
            _toolhost_words 'list show call serve token test doctor profile grant retry new help version'
        fi
        ;;
    list | list-tools) _toolhost_words "$global --category --family --deprecated --all --names" ;;
    show)
        if [[ $cur == -* || $positional -gt 0 ]]; then
            _toolhost_words "$global --markdown --no-pager"
        else
            _toolhost_words "$(_toolhost_tools)"
        fi
        ;;
    call)
        if [[ $cur == -* ]]; then
            _toolhost_words "$global --yes --timeout --set --state --stream --answer --events --stats --batch --jobs --sequential"
        elif [[ $positional -eq 0 ]]; then
            _toolhost_words "$(_toolhost_tools)"
        elif [[ $cur == @* ]]; then
            mapfile -t COMPREPLY < <(compgen -f -P @ -- "${cur#@}")
        fi
        ;;
    serve)
        _toolhost_words "$global --stdio --http --allow-host --allow-origin --behind-proxy --events \
            --schemas \
            --grace --max-calls --max-request --max-connections --max-sessions --max-share \
            --token-file --no-auth --tls-cert --tls-key --oauth-issuer --oauth-audience --oauth-jwks \
            --oauth-scope --oauth-profile --oauth-profile-claim --oauth-profiles"
        ;;
    token) [[ $cur != -* ]] || _toolhost_words "$global --file --metrics --replace --remove" ;;
    doctor) _toolhost_words "$global --provider" ;;
    test)
        if [[ $cur == -* ]]; then
            _toolhost_words "$global --only --junit --yes --list"
        else
            _toolhost_files
        fi
        ;;
    profile)
        if [[ $cur == -* ]]; then
            _toolhost_words "$global"
        elif [[ $positional -eq 0 ]]; then
            _toolhost_words 'list show'
        else
            _toolhost_words "$(_toolhost_profiles)"
        fi
        ;;
    grant)
        if [[ $cur == -* ]]; then
            _toolhost_words "$global --revoke"
        elif [[ $positional -eq 0 ]]; then
            _toolhost_words "$(_toolhost_tools)"
        elif [[ $prev == write ]]; then
            _toolhost_folders # of write=, which bash splits
        else
            _toolhost_words 'network exec write tools'
        fi
        ;;
    retry)
        if [[ $cur == -* || $positional -gt 0 ]]; then
            _toolhost_words "$global --all"
        else
            _toolhost_words "$(_toolhost_tools)"
        fi
        ;;
    help)
        if [[ $positional -eq 0 ]]; then
            _toolhost_words 'list show call serve token doctor profile grant retry new version'
        fi
        ;;
    version) _toolhost_words "$global" ;;
    new) [[ $cur != -* ]] || _toolhost_words "$global --lang --dir" ;;
    esac
}

complete -F _toolhost toolhost
