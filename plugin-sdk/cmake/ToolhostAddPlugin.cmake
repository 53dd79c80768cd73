# toolhost_add_plugin(NAME
#     SOURCES file...              C and C++
#     [LINK target-or-library...]
#     [OUTPUT_NAME name]           the file's name without .so; the target's name by default
#     [OUTPUT_DIRECTORY dir])      the build's plugins/ by default, a folder that --plugins can name
#
# Makes NAME a library that the host can load and that exports nothing but the entry points.
include_guard(GLOBAL)
include(CheckLinkerFlag)

# Whether the calling directory compiles with a sanitizer, set in any of the usual ways.
function(_toolhost_sanitized result)
    get_property(options DIRECTORY PROPERTY COMPILE_OPTIONS)
    get_property(link_options DIRECTORY PROPERTY LINK_OPTIONS)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(all "${options} ${link_options} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS} ${CMAKE_C_FLAGS_${type}} \
${CMAKE_CXX_FLAGS_${type}} ${CMAKE_MODULE_LINKER_FLAGS}")
    if(all MATCHES "-fsanitize=")
        set(${result} TRUE PARENT_SCOPE)
    else()
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()

# Whether the linker supports requiring symbols.
function(_toolhost_linker_requires result)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(CXX IN_LIST languages)
        check_linker_flag(CXX LINKER:--require-defined=main TOOLHOST_LINKER_REQUIRES)
    else()
        check_linker_flag(C LINKER:--require-defined=main TOOLHOST_LINKER_REQUIRES)
    endif()
    set(${result} ${TOOLHOST_LINKER_REQUIRES} PARENT_SCOPE)
endfunction()

function(toolhost_add_plugin NAME)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "OUTPUT_NAME;OUTPUT_DIRECTORY" "SOURCES;LINK")
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "toolhost_add_plugin(${NAME}): unknown: ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT ARG_SOURCES)
        message(FATAL_ERROR "toolhost_add_plugin(${NAME}): SOURCES is missing")
    endif()
    if(NOT ARG_OUTPUT_NAME)
        set(ARG_OUTPUT_NAME ${NAME})
    endif()
    if(NOT ARG_OUTPUT_DIRECTORY)
        set(ARG_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/plugins)
    endif()

    add_library(${NAME} MODULE ${ARG_SOURCES})
    # The generator expression keeps multi-configuration generators from appending a folder.
    set_target_properties(${NAME} PROPERTIES
        PREFIX ""
        OUTPUT_NAME ${ARG_OUTPUT_NAME}
        LIBRARY_OUTPUT_DIRECTORY $<1:${ARG_OUTPUT_DIRECTORY}>
        POSITION_INDEPENDENT_CODE ON
        C_VISIBILITY_PRESET hidden
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON)
    if("${ARG_SOURCES}" MATCHES "\\.(cpp|cc|cxx|c\\+\\+|C)(;|$)")
        target_compile_features(${NAME} PRIVATE cxx_std_20)
        target_link_libraries(${NAME} PRIVATE toolhost::sdk ${ARG_LINK})
    else()
        target_compile_features(${NAME} PRIVATE c_std_11)
        target_link_libraries(${NAME} PRIVATE toolhost::abi ${ARG_LINK})
    endif()
    # A GNU_UNIQUE symbol exists once per process, and pins its library.
    target_compile_options(${NAME} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)

    if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
        set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/toolhost-exports.map)
        set_property(TARGET ${NAME} APPEND PROPERTY LINK_DEPENDS ${exports})
        target_link_options(${NAME} PRIVATE
            LINKER:--version-script=${exports} LINKER:--exclude-libs,ALL)
        # Without TOOLHOST_PLUGIN (or, in C, the two entry points) it is not a plugin, and the
        # linker reports "required symbol 'tool_spec' not defined".
        _toolhost_linker_requires(requires)
        if(requires)
            target_link_options(${NAME} PRIVATE
                LINKER:--require-defined=tool_spec LINKER:--require-defined=tool_invoke)
        endif()
        # A missing symbol must fail the build, not the first call. Sanitizers are excepted, because
        # the host provides their symbols.
        _toolhost_sanitized(sanitized)
        if(NOT sanitized)
            target_link_options(${NAME} PRIVATE LINKER:-z,defs)
        endif()
    endif()
endfunction()
