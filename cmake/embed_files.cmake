# Writes files as C++ string literals; see ToolhostEmbed.cmake.
file(GLOB_RECURSE files RELATIVE ${FOLDER} LIST_DIRECTORIES false ${FOLDER}/${PATTERN})
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
    file(READ ${FOLDER}/${file} content)
    string(APPEND rows "    {\"${file}\", R\"__file__(${content})__file__\"},\n")
endforeach()
string(REGEX REPLACE "^host/([a-z]+)/.*" "toolhost::\\1" namespace ${HEADER})
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace ${namespace} {
namespace {
const EmbeddedFile kFiles_${FUNCTION}[] = {
${rows}};
}  // namespace

std::span<const EmbeddedFile> ${FUNCTION}() {
    return kFiles_${FUNCTION};
}

}  // namespace ${namespace}
")
