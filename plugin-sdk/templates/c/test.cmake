# Calls the built tool as an agent would. CMakeLists.txt includes this file to register the test;
# ctest runs it as the test.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    find_program(TOOLHOST toolhost)
    if(NOT TOOLHOST)
        message(WARNING "toolhost was not found, so the tests are skipped; set -DTOOLHOST=PATH")
    endif()
    add_test(NAME @NAME@ COMMAND ${CMAKE_COMMAND} -DTOOLHOST=${TOOLHOST}
        -DPLUGINS=$<TARGET_FILE_DIR:tool_@IDENT@> -P ${CMAKE_CURRENT_LIST_FILE})
    set_tests_properties(@NAME@ PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
    return()
endif()

cmake_minimum_required(VERSION 3.21)
if(NOT TOOLHOST)
    message("SKIPPED: toolhost was not found; set -DTOOLHOST=PATH")
    return()
endif()

# expect(INPUT EXIT [WORDS]): the call ends with this exit code and, if it succeeds, this count.
function(expect INPUT EXIT)
    execute_process(COMMAND ${TOOLHOST} --plugins ${PLUGINS} call @NAME@ ${INPUT} --json
        RESULT_VARIABLE exit OUTPUT_VARIABLE output ERROR_VARIABLE log)
    if(NOT exit EQUAL EXIT)
        message(FATAL_ERROR "${INPUT}: exit code ${exit}, expected ${EXIT}\n${output}${log}")
    endif()
    if(ARGC GREATER 2)
        string(JSON words ERROR_VARIABLE error GET "${output}" content 0 json words)
        if(NOT words STREQUAL ARGV2)
            message(FATAL_ERROR "${INPUT}: ${words} words, expected ${ARGV2}\n${output}${log}")
        endif()
    endif()
endfunction()

expect([[{"text": "to be or\nnot to be"}]] 0 6)
expect([[{"text": ""}]] 0 0)
expect([[{"text": "\u0020 tab\there "}]] 0 2)
expect([[{"text": 5}]] 3)
message("all calls returned the expected results")
