# Embeds files in the program, so that they are available wherever it is installed.
#
# toolhost_embed(VARIABLE HEADER FUNCTION FOLDER PATTERN)
#
# Sets VARIABLE to a source file, made at build time, that defines FUNCTION() of HEADER
# (host/ROOM/NAME.hpp): every file below FOLDER that matches PATTERN, sorted by its path there.
function(toolhost_embed VARIABLE HEADER FUNCTION FOLDER PATTERN)
    file(GLOB_RECURSE files LIST_DIRECTORIES false CONFIGURE_DEPENDS ${FOLDER}/${PATTERN})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${FUNCTION}.cpp)
    set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=${HEADER} -DFUNCTION=${FUNCTION}
                -DFOLDER=${FOLDER} "-DPATTERN=${PATTERN}" -P ${script}
        DEPENDS ${files} ${script}
        COMMENT "Embedding ${FUNCTION}"
        VERBATIM)
    set(${VARIABLE} ${output} PARENT_SCOPE)
endfunction()
