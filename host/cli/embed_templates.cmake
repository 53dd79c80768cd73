# Writes the template files as C++ string literals: one {language, path, content} row each.
file(GLOB_RECURSE files RELATIVE ${FOLDER} LIST_DIRECTORIES false ${FOLDER}/*)
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
    # FOLDER/LANGUAGE/PATH; what lies beside the languages is not for copying.
    if(NOT file MATCHES "^([^/]+)/(.+)$")
        continue()
    endif()
    set(language ${CMAKE_MATCH_1})
    set(path ${CMAKE_MATCH_2})
    file(READ ${FOLDER}/${file} content)
    # No bracket of a raw string may end early, and MSVC's limit of 16 KB is far away.
    string(APPEND rows "    {\"${language}\", \"${path}\", R\"__file__(${content})__file__\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by embed_templates.cmake.
#include \"host/cli/templates.hpp\"

namespace toolhost::cli {
namespace {
const TemplateFile kFiles[] = {
${rows}};
}  // namespace

std::span<const TemplateFile> template_files() {
    return kFiles;
}
}  // namespace toolhost::cli
")
