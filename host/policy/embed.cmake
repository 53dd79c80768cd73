# Writes the shipped profiles and the schemas as C++ string literals: {name, content} rows.
function(embed_rows OUTPUT_VARIABLE FOLDER GLOB)
    file(GLOB files ${FOLDER}/${GLOB})
    list(SORT files)
    set(rows "")
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME)
        file(READ ${file} content)
        string(APPEND rows "    {\"${name}\", R\"__file__(${content})__file__\"},\n")
    endforeach()
    set(${OUTPUT_VARIABLE} "${rows}" PARENT_SCOPE)
endfunction()

embed_rows(profiles ${FOLDER}/profiles *.yml)
embed_rows(schemas ${FOLDER} *.schema.json)
file(WRITE ${OUTPUT} "// Made by embed.cmake.
#include \"host/policy/embedded.hpp\"

namespace toolhost::policy {
namespace {
const EmbeddedFile kProfiles[] = {
${profiles}};
const EmbeddedFile kSchemas[] = {
${schemas}};
}  // namespace

std::span<const EmbeddedFile> embedded_profiles() {
    return kProfiles;
}
std::span<const EmbeddedFile> embedded_schemas() {
    return kSchemas;
}
}  // namespace toolhost::policy
")
