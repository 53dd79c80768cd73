"""relink.py SOURCE BUILD TREE: builds the program of TREE, a copy of SOURCE with changes in host/cli.

Compiles the changed files of host/cli alone and links them before the libraries of BUILD, so that
their definitions come first. Then writes the manual page.
"""
import filecmp
import json
import pathlib
import re
import shlex
import subprocess
import sys

source, build, tree = (pathlib.Path(path).resolve() for path in sys.argv[1:])
target = tree / "build/release"


def compile_flags():
    """The flags of host/cli, with the includes of TREE in place of SOURCE's, and quick to compile."""
    entries = json.loads((build / "compile_commands.json").read_text())
    entry = next(e for e in entries if "/toolhost_cli.dir/" in e.get("command", ""))
    words = shlex.split(entry["command"])
    if "ccache" in entry["command"]:  # and its environment, before the compiler
        words = words[next(i for i, w in enumerate(words) if w.endswith("ccache")) + 1 :]
    flags, skip = [], False
    for word in words:
        if skip or word in ("-o", "-include", "-Xclang", "-include-pch", "-MF", "-MT"):
            skip = not skip
        elif word not in ("-c", "-Winvalid-pch", "-MD", entry["file"]) and not re.match(r"-O|-g", word):
            flags.append(re.sub(rf"^-I{re.escape(str(source))}$", f"-I{tree}", word))
    return flags + ["-O0", "-U_FORTIFY_SOURCE"]


def link_command():
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", "-s", "bin/toolhost"],
                           check=True, capture_output=True, text=True).stdout.splitlines()
    link = next(line for line in reversed(lines) if "-o bin/toolhost" in line)
    return next(part for part in link.split(" && ") if "-o bin/toolhost" in part)


flags, objects = compile_flags(), []
for file in sorted((tree / "host/cli").glob("*.cpp")):
    old = source / "host/cli" / file.name
    if old.exists() and filecmp.cmp(old, file, shallow=False):
        continue
    if file.name not in (tree / "host/cli/CMakeLists.txt").read_text():
        sys.exit(f"host/cli/CMakeLists.txt does not list {file.name}")
    objects.append(target / (file.stem + ".o"))
    subprocess.run([*flags, "-c", file, "-o", objects[-1]], check=True)
command = link_command().replace("-o bin/toolhost",
                                 " ".join(map(str, objects)) + f" -Wl,-z,muldefs -o {target}/bin/toolhost")
subprocess.run(command, shell=True, check=True, cwd=build)
subprocess.run([target / "bin/toolhost", "__man", tree / "docs/man/toolhost.1.in",
                target / "man/toolhost.1"], check=True)
