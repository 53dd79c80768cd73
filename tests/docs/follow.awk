# Converts a page to a shell script that does what the page says.
#   `name`: before a block    the block is written to that file
#   ```sh                     is run, and must succeed
#   ```diff                   is applied to the files it names
#   ```console                each "$ command" is run; its output must be the lines that follow
function quote(text) { gsub(/'/, "'\\''", text); return "'" text "'" }
function flush_command() {
    if (command == "") return
    printf "expect %s %s\n", quote(command), quote(expected)
    command = ""
}
/^```/ && !inside {
    inside = 1
    language = substr($0, 4)
    if (file != "") printf "cat > %s <<'__END_OF_FILE__'\n", quote(file)
    else if (language == "diff") print "patch -s -p1 --no-backup-if-mismatch <<'__END_OF_FILE__'"
    next
}
/^```$/ && inside {
    if (file != "" || language == "diff") print "__END_OF_FILE__"
    flush_command()
    inside = 0
    file = ""
    next
}
!inside { if (match($0, /^`[^`]+`:$/)) file = substr($0, 2, length($0) - 3); else if ($0 != "") file = ""; next }
file != "" || language == "diff" { print; next }
language == "sh" && follow_sh { print "echo " quote("+ " $0) "\n" $0; next }
language == "console" {
    if (substr($0, 1, 2) == "$ ") { flush_command(); command = substr($0, 3); expected = "" }
    else expected = expected $0 "\n"
}
