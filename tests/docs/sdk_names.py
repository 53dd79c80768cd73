#!/usr/bin/env python3
"""Every public name of the SDK's headers is in docs/sdk.md.

usage: sdk_names.py HEADERS [PAGE]   without PAGE: prints the names

Public: macros TOOL*, what plugin.h and ext/*.h declare, and what namespace toolhost declares outside
detail, public members of its classes included. The headers are formatted by clang-format, so a
scanner that follows braces is enough.
"""
import pathlib
import re
import sys

IDENT = r"[A-Za-z_]\w*"


def stripped(text):
    """Without comments, literals, attributes and preprocessor lines."""
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"'(?:\\.|[^'\\\n])'", "' '", text)
    text = re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.M)
    return re.sub(r"\[\[.*?\]\]", " ", text)


def without_template(head):
    """A declaration without its template<...> and requires clauses."""
    while match := re.match(r"\s*template\s*<", head):
        depth, at = 1, match.end()
        while depth and at < len(head):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[at:]
    return re.sub(r"^\s*requires\b.*?(?=\b(class|struct|constexpr|inline|auto|void)\b)", "", head, flags=re.S).strip()


def declared(head):
    """(kind, name) of a declaration's text up to its `{`, `;` or `=`."""
    head = re.sub(r"std::function<[^;]*?>(?=\s*\w+\s*(\{|=|$))", "function", without_template(head))
    if match := re.match(rf"(?:inline\s+)?namespace\s+([\w:]*)", head):
        return "namespace", match.group(1)
    if re.match(r"extern\s+\"\"", head):
        return "namespace", ""
    if match := re.match(rf"typedef\b.*?\b({IDENT})$", head, flags=re.S):
        function = re.search(rf"\(\s*\*\s*({IDENT})\s*\)", head)
        return "name", (function or match).group(1)
    if match := re.match(rf"(class|struct|union)\s+(?:alignas\([^)]*\)\s*)?({IDENT})(?!\s*[<\w])", head):
        return "class", match.group(2)
    if re.match(rf"(class|struct)\s+{IDENT}\s*<", head):
        return "other", ""  # a specialization
    if match := re.match(rf"enum\b\s*(?:class\s+|struct\s+)?({IDENT}|$)", head):
        return "enum", match.group(1)
    if match := re.match(rf"(?:using|concept)\s+({IDENT})\s*(?:=|$)", head):
        return "name", match.group(1)
    if re.match(r"(using|friend|static_assert|return|if|for|while|else|switch|do|try|case)\b", head):
        return "other", ""
    if re.search(r"\boperator\b", head):
        return "other", ""
    if match := re.search(rf"\(\s*\*\s*({IDENT})\s*\)\s*\(", head):
        return "variable", match.group(1)
    if match := re.fullmatch(rf"[\w:]+ ({IDENT}(?:, {IDENT})+)", head):
        return "variables", match.group(1)
    if match := re.search(rf"(~?\b{IDENT})\s*\(", head):
        if match.group(1) in ("requires", "explicit", "noexcept", "decltype", "alignas", "defined", "if"):
            rest = re.sub(rf"\b{match.group(1)}\s*\([^()]*(?:\([^()]*\)[^()]*)*\)", " ", head, count=1)
            return declared(rest) if rest != head else ("other", "")
        return "function", match.group(1)
    if match := re.search(rf"\b({IDENT})\s*(?:\[[^\]]*\])*$", head):
        return "variable", match.group(1)
    return "other", ""


class Scanner:
    def __init__(self, text, names):
        self.text, self.at, self.names = text, 0, names

    def skip_braces(self):
        """From behind a `{` to behind its `}`."""
        depth = 1
        while depth and self.at < len(self.text):
            depth += {"{": 1, "}": -1}.get(self.text[self.at], 0)
            self.at += 1

    def scope(self, owner, public, in_class):
        """Declarations up to the closing brace. `owner` prefixes members."""
        head, parens = "", 0
        while self.at < len(self.text):
            c = self.text[self.at]
            self.at += 1
            parens += {"(": 1, ")": -1}.get(c, 0)
            if c == "}":
                return
            if in_class and c == ":" and head.strip() in ("public", "private", "protected"):
                public, head = owner is not None and head.strip() == "public", ""
            elif parens and c in "{};":
                if c == "{":
                    self.skip_braces()
            elif c == ";":
                self.take(head, owner, public, in_class)
                head = ""
            elif c == "{":
                head = self.open(head, owner, public, in_class)
            else:
                head += c

    def take(self, head, owner, public, in_class):
        head = re.split(r"(?<![=!<>])=(?!=)", head)[0] if not re.match(r"\s*(using|typedef|template)", head) else head
        kind, name = declared(head.strip())
        self.add(kind, name, owner, public, in_class)

    def add(self, kind, name, owner, public, in_class):
        if kind == "variables":
            for one in name.split(", "):
                self.add("variable", one, owner, public, in_class)
            return
        own = owner.split("::")[-1] if owner else ""
        if public and kind not in ("other", "namespace") and name and name != own and "~" not in name:
            self.names.add(f"{owner}::{name}" if in_class else name)

    def open(self, head, owner, public, in_class):
        """Behind a `{`; returns what is left of the declaration that it belongs to."""
        # `= {}` initializes a variable; before a function's braces there is no `=`.
        kind, name = declared(re.sub(r"^\s*typedef\s+|=\s*$", "", head).strip())
        if kind == "namespace":
            inner = public and not re.search(r"\bdetail\b", name) or name.startswith("toolhost") and "detail" not in name
            self.scope(owner if inner else None, inner, False)
            return ""
        if kind == "class":
            self.add(kind, name, owner, public, in_class)
            is_struct = bool(re.search(r"\bstruct\b", without_template(head)))
            full = f"{owner}::{name}" if in_class and owner else name
            self.scope(full if public else None, public and is_struct, True)
            return ""
        if kind == "enum":
            self.add(kind, name, owner, public, in_class)
            full = f"{owner}::{name}" if in_class and owner else name
            start = self.at
            self.skip_braces()
            if public:
                for item in re.findall(rf"({IDENT})\s*(?:=[^,}}]*)?[,}}]", self.text[start : self.at]):
                    self.names.add(f"{full}::{item}" if not item.startswith("TOOL") else item)
            return ""
        self.skip_braces()
        if kind == "variable":  # braces that initialize it
            return head
        self.add(kind, name, owner, public, in_class)
        return ""


def public_names(folder):
    names = set()
    for path in sorted(pathlib.Path(folder).rglob("*.h*")):
        raw = path.read_text()
        names |= {m for m in re.findall(rf"^\s*#\s*define\s+(TOOL\w+)", raw, flags=re.M)
                  if not re.search(r"_H(PP)?$|_DETAIL|_HPP_", m)}
        c_header = path.suffix == ".h"
        Scanner(stripped(raw), names).scope("" if c_header else None, c_header, False)
    return {re.sub(r"^::", "", n) for n in names}


def main():
    names = public_names(sys.argv[1])
    if len(sys.argv) < 3:
        print("\n".join(sorted(names)))
        return 0
    page = pathlib.Path(sys.argv[2]).read_text()
    code = re.findall(r"^```\w*\n(.*?)^```|`([^`\n]+)`", page, flags=re.M | re.S)
    words = {word for block, inline in code for word in re.findall(IDENT, block or inline)}
    missing = sorted(n for n in names if not set(n.split("::")) <= words)
    for name in missing:
        print(f"not in {sys.argv[2]}: {name}")
    print(f"{len(names)} public names, {len(missing)} missing")
    return 1 if missing or len(names) < 100 else 0


sys.exit(main())
