#!/bin/sh
# contributing.sh SOURCE BUILD: checks that docs/CONTRIBUTING.md names existing files, and follows
# its recipe for a command literally in a copy of the tree. `cmake --build` compiles what the recipe
# changed and links it before the libraries of BUILD.
set -eu
source_root=$1 build=$2
page=$source_root/docs/CONTRIBUTING.md
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Words in capitals are placeholders; the first recipe creates count_*.
missing=0
for path in $(grep -o '`[a-zA-Z0-9_./-]*/[a-zA-Z0-9_./-]*`' "$page" | tr -d '`' | sort -u); do
    case $path in *FAMILY* | *TOOL* | */count_*) continue ;; esac
    [ -e "$source_root/$path" ] || { echo "FAIL: $page names $path, which does not exist"; missing=1; }
done
[ $missing = 0 ]

mkdir -p "$scratch/tree/build/release/bin" "$scratch/tree/build/release/man" "$scratch/bin" "$scratch/home"
cp -R "$source_root/host" "$source_root/docs" "$scratch/tree"
cat >"$scratch/bin/cmake" <<EOF
#!/bin/sh
exec python3 "$here/relink.py" "$source_root" "$build" "$scratch/tree"
EOF
chmod +x "$scratch/bin/cmake"
sed -n '/^## Add a command$/,/^## Add an error code$/p' "$page" | sed 's/^   `/`/' >"$scratch/page"
sh "$here/follow_page.sh" "$scratch/page" 1 >"$scratch/script"
cd "$scratch/tree"
env PATH="$scratch/bin:$scratch/tree/build/release/bin:$PATH" HOME="$scratch/home" NO_COLOR=1 \
    XDG_CACHE_HOME="$scratch/home/cache" XDG_DATA_HOME="$scratch/home/data" sh "$scratch/script"
