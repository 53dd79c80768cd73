# Compiler settings of all targets in this project. Plugins elsewhere use the SDK's
# toolhost_add_plugin(), which requires none of them.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -O3 takes half as long again to build, and made no measured call faster.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# For sanitizers: fast enough to run, and compiles in a third of the time.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")

# The presets compile several files of a room as one, which takes half the time. A changed file then
# recompiles its neighbours.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 6)

set(TOOLHOST_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
option(TOOLHOST_COVERAGE "Instrument for line coverage" OFF)

# All clones on the machine share ccache's results, because neither messages nor debug information
# contain the build folder. Coverage needs the folder for gcovr.
if(NOT TOOLHOST_COVERAGE)
    set(SHARED_BY_CLONES CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
    add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
endif()

find_program(CCACHE ccache)
if(CCACHE)
    # Without this, ccache does not cache files that use a precompiled header.
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${SHARED_BY_CLONES} ${CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()

add_library(toolhost_compile INTERFACE)
target_compile_options(toolhost_compile INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Werror)
# gcc 12 reports overlapping copies for every "text" + std::string (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(toolhost_compile INTERFACE
        -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
# clang warns about libgit2's macros, which initialize only the first fields of a struct, and about
# braces inside braces. gcc's warnings stay enabled.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(toolhost_compile INTERFACE -Wthread-safety
                           -Wno-missing-field-initializers -Wno-missing-braces)
endif()
# By default nlohmann/json converts silently to any type, so mistakes would appear only at run time.
target_compile_definitions(toolhost_compile INTERFACE JSON_USE_IMPLICIT_CONVERSIONS=0)

if(TOOLHOST_SANITIZE)
    add_compile_options(-fsanitize=${TOOLHOST_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    # The address sanitizer also reports null pointers, objects that are too small and destroyed
    # objects. Checking them twice would take a sixth of the compilation. Fuzzers check everything.
    if(TOOLHOST_SANITIZE STREQUAL "address,undefined")
        add_compile_options(-fno-sanitize=null,object-size,vptr)
    endif()
    # The thread sanitizer does not support Asio's fences, which only accompany its locks.
    if(TOOLHOST_SANITIZE STREQUAL "thread")
        add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
    endif()
    add_link_options(-fsanitize=${TOOLHOST_SANITIZE})
endif()
if(TOOLHOST_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_compile_definitions(TOOLHOST_COVERAGE)
    add_link_options(--coverage)
endif()

# Most files include the JSON header, which is most of their compile time.
# toolhost_precompile(TARGET [OWNER]) uses the precompiled headers of OWNER, which must have the
# same options; without OWNER it compiles them for TARGET.
function(toolhost_precompile TARGET)
    if(ARGC GREATER 1)
        target_precompile_headers(${TARGET} REUSE_FROM ${ARGV1})
    else()
        target_precompile_headers(${TARGET} PRIVATE <nlohmann/json.hpp> <string> <vector> <map>
                                  <boost/system/result.hpp>)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${TARGET} PRIVATE -fpch-preprocess)
    endif()
endfunction()
