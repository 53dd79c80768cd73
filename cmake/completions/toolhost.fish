# fish completion of toolhost(1).

# Tool names as the host sees them with the folders of the line being typed.
function __toolhost_tools
    set -l words (commandline -opc)
    set -l given
    for i in (seq 2 (count $words))
        switch $words[$i]
            case --plugins --only-plugins
                set -a given $words[$i] $words[(math $i + 1)]
            case '--plugins=*' '--only-plugins=*'
                set -a given $words[$i]
        end
    end
    $words[1] $given --log-level off list --names 2>/dev/null
end

function __toolhost_profiles
    set -l words (commandline -opc)
    $words[1] --log-level off profile list --names 2>/dev/null
end

# The words that are neither options nor their values: the command, then its arguments.
function __toolhost_plain
    set -l words (commandline -opc)
    set -l value no
    for word in $words[2..-1]
        if test $value = yes
            set value no
            continue
        end
        switch $word
            case --plugins --only-plugins --timeout --set --profile --config --log-level --probe-timeout --category --family --state \
                    --answer --events --batch --jobs --lang --dir --http --grace --max-calls \
                    --max-request --token-file --tls-cert --tls-key --oauth-issuer --oauth-audience \
                    --oauth-jwks --oauth-profile --oauth-profiles --oauth-profile-claim --oauth-scope \
                    --allow-host --allow-origin --max-connections --max-sessions --max-share --file \
                    --provider --schemas --only --junit
                set value yes
            case '-*'
            case '*'
                echo $word
        end
    end
end

function __toolhost_no_command
    test (count (__toolhost_plain)) -eq 0
end

function __toolhost_command
    set -l plain (__toolhost_plain)
    test (count $plain) -gt 0; and contains -- $plain[1] $argv
end

function __toolhost_wants_tool
    __toolhost_command show call grant retry; and test (count (__toolhost_plain)) -eq 1
end

complete -c toolhost -f
complete -c toolhost -l plugins -r -a '(__fish_complete_directories)' -d 'Folder of plugins'
complete -c toolhost -l only-plugins -r -a '(__fish_complete_directories)' -d 'The only folder of plugins'
complete -c toolhost -l profile -x -a '(__toolhost_profiles)' -d 'Profile in force'
complete -c toolhost -l config -r -F -d 'Config file'
complete -c toolhost -l json -d 'Print JSON'
complete -c toolhost -l log-level -x -a 'trace debug info warn error off' -d 'What goes to stderr'
complete -c toolhost -l no-cache -d 'Probe every plugin anew'
complete -c toolhost -l probe-timeout -x -d 'Milliseconds a plugin has to answer'
complete -c toolhost -l version -d 'Print the version'
complete -c toolhost -l help -d 'Print help'

complete -c toolhost -n __toolhost_no_command -a list -d 'The tools'
complete -c toolhost -n __toolhost_no_command -a show -d 'One tool in full'
complete -c toolhost -n __toolhost_no_command -a call -d 'Call a tool'
complete -c toolhost -n __toolhost_no_command -a serve -d 'Serve the tools to agents'
complete -c toolhost -n __toolhost_no_command -a token -d 'Let an agent in over HTTP'
complete -c toolhost -n __toolhost_no_command -a test -d 'Test a plugin'
complete -c toolhost -n __toolhost_no_command -a doctor -d 'What does not work, and why'
complete -c toolhost -n __toolhost_no_command -a profile -d 'What may be called, and within which bounds'
complete -c toolhost -n __toolhost_no_command -a grant -d 'Let a tool reach more than the workspace'
complete -c toolhost -n __toolhost_no_command -a retry -d 'Let a library run again that crashed too often'
complete -c toolhost -n __toolhost_no_command -a new -d 'Begin a plugin'
complete -c toolhost -n __toolhost_no_command -a help -d 'Explain a command'
complete -c toolhost -n __toolhost_no_command -a version -d 'Print the version'

complete -c toolhost -n '__toolhost_command list list-tools' -l category -x -a 'http file_ops data system compute' -d 'Of this category'
complete -c toolhost -n '__toolhost_command list list-tools' -l family -x -d 'Of this family'
complete -c toolhost -n '__toolhost_command list list-tools' -l deprecated -d 'Only deprecated ones'
complete -c toolhost -n '__toolhost_command list list-tools' -l all -d 'Deprecated and unusable ones too'
complete -c toolhost -n '__toolhost_command list list-tools' -l names -d 'One name a line'

complete -c toolhost -n __toolhost_wants_tool -a '(__toolhost_tools)'
complete -c toolhost -n '__toolhost_command call' -s y -l yes -d 'Consent beforehand'
complete -c toolhost -n '__toolhost_command call' -l timeout -x -d 'Less time than the profile gives'
complete -c toolhost -n '__toolhost_command call' -l set -x -d 'A knob for this call, KNOB=VALUE'
complete -c toolhost -n '__toolhost_command call' -l state -x -d 'Invocation state, JSON'
complete -c toolhost -n '__toolhost_command call' -l stream -d 'Print events as they come'
complete -c toolhost -n '__toolhost_command call' -l answer -x -d 'Answer to a question, ID=JSON'
complete -c toolhost -n '__toolhost_command call' -l events -r -F -d 'File for events'
complete -c toolhost -n '__toolhost_command call' -l stats -d 'Print counters'
complete -c toolhost -n '__toolhost_command show' -l markdown -d 'As a page of documentation'
complete -c toolhost -n '__toolhost_command show' -l no-pager -d 'However long it is'
complete -c toolhost -n '__toolhost_command call' -l batch -r -F -d 'File of requests'
complete -c toolhost -n '__toolhost_command call' -l jobs -x -d 'Calls at once'
complete -c toolhost -n '__toolhost_command call' -l sequential -d 'One call after the other'

complete -c toolhost -n '__toolhost_command serve' -l stdio -d 'On standard input and output'
complete -c toolhost -n '__toolhost_command serve' -l http -x -d 'Over HTTP, at ADDR:PORT'
complete -c toolhost -n '__toolhost_command serve' -l allow-host -x -d 'A name of this server'
complete -c toolhost -n '__toolhost_command serve' -l allow-origin -x -d 'An origin whose pages may ask'
complete -c toolhost -n '__toolhost_command serve' -l behind-proxy -d 'A proxy speaks TLS for it'
complete -c toolhost -n '__toolhost_command serve' -l events -r -F -d 'File for events'
complete -c toolhost -n '__toolhost_command serve' -l schemas -x -a 'full plain' -d 'Input schemas of tools/list'
complete -c toolhost -n '__toolhost_command doctor' -l provider -x -a 'anthropic openai gemini' -d 'Check schemas for it'
complete -c toolhost -n '__toolhost_command serve' -l grace -x -d 'Seconds running calls have in the end'
complete -c toolhost -n '__toolhost_command serve' -l max-calls -x -d 'Calls at once'
complete -c toolhost -n '__toolhost_command serve' -l max-request -x -d 'Length of a message'
complete -c toolhost -n '__toolhost_command serve' -l max-connections -x -d 'Connections at once'
complete -c toolhost -n '__toolhost_command serve' -l max-sessions -x -d 'Sessions at once'
complete -c toolhost -n '__toolhost_command serve' -l max-share -x -d 'Share of one principal'
complete -c toolhost -n '__toolhost_command serve' -l token-file -r -F -d 'Who may come in'
complete -c toolhost -n '__toolhost_command serve' -l no-auth -d 'Require no token'
complete -c toolhost -n '__toolhost_command serve' -l tls-cert -r -F -d 'Certificate'
complete -c toolhost -n '__toolhost_command serve' -l tls-key -r -F -d 'Its key'
complete -c toolhost -n '__toolhost_command serve' -l oauth-issuer -x -d 'Whose tokens are taken'
complete -c toolhost -n '__toolhost_command serve' -l oauth-audience -x -d 'What they must be for'
complete -c toolhost -n '__toolhost_command serve' -l oauth-jwks -r -F -d 'Keys of the issuer, a file or a URL'
complete -c toolhost -n '__toolhost_command serve' -l oauth-scope -x -d 'Scope that is asked for'
complete -c toolhost -n '__toolhost_command serve' -l oauth-profile -x -a '(__toolhost_profiles)' -d 'Profile of those who come with them'
complete -c toolhost -n '__toolhost_command serve' -l oauth-profile-claim -x -d 'Claim that names another'
complete -c toolhost -n '__toolhost_command serve' -l oauth-profiles -x -a '(__toolhost_profiles)' -d 'Those it may name'

complete -c toolhost -n '__toolhost_command token' -l file -r -F -d 'Token file'
complete -c toolhost -n '__toolhost_command token' -l replace -d 'A new token for the name'
complete -c toolhost -n '__toolhost_command token' -l metrics -d 'For /metrics alone'
complete -c toolhost -n '__toolhost_command token' -l remove -d 'Let nobody in with it'

complete -c toolhost -n '__toolhost_command test' -F
complete -c toolhost -n '__toolhost_command test' -l only -x -d 'Run this check'
complete -c toolhost -n '__toolhost_command test' -l junit -r -F -d 'File for JUnit XML'
complete -c toolhost -n '__toolhost_command test' -l yes -d 'Also run tools with side effects'
complete -c toolhost -n '__toolhost_command test' -l list -d 'Show the checks'

complete -c toolhost -n '__toolhost_command profile; and test (count (__toolhost_plain)) -eq 1' -a 'list show'
complete -c toolhost -n '__toolhost_command profile; and test (count (__toolhost_plain)) -eq 2' -a '(__toolhost_profiles)'

complete -c toolhost -n '__toolhost_command grant; and test (count (__toolhost_plain)) -gt 1' -a 'network exec write tools'
complete -c toolhost -n '__toolhost_command grant' -l revoke -d 'Take it back'
complete -c toolhost -n '__toolhost_command retry' -l all -d 'Every one in quarantine'

complete -c toolhost -n '__toolhost_command new' -l lang -x -a 'cpp c rust' -d Language
complete -c toolhost -n '__toolhost_command new' -l dir -r -a '(__fish_complete_directories)' -d 'Where to put it'

complete -c toolhost -n '__toolhost_command help; and test (count (__toolhost_plain)) -eq 1' -a 'list show call serve token doctor profile grant retry new version'
