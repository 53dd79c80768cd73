# fish completion of toolhost(1).

function __toolhost_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    # Candidates for the value of --option=VALUE do not contain the option.
    set -l before (string match -r '^(?:-[^=]*|write)=|^@' -- $current)
    set -l value (string replace -r '^(?:(?:-[^=]*|write)=|@)' '' -- $current)
    switch "$lines[1]"
        case folders
            printf '%s\n' "$before"(__fish_complete_directories "$value")
        case files 'files@'
            printf '%s\n' "$before"(__fish_complete_path "$value")
        case words
            set -l start '^'(string escape --style=regex -- "$value")
            set -l found (string match -r -- "$start.*" $lines[2..-1])
            and printf '%s\n' "$before"$found
    end
end

complete -c toolhost -f -a '(__toolhost_complete)'
