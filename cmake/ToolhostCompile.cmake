# How every target of this project is compiled. Plugins of other people use the SDK's
# toolhost_add_plugin(), which asks for none of this.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -O3 makes the build half as long again and no call faster that was measured.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# What the sanitizers are built with: quick enough to run, and a third of the time to compile.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")

# Where the presets compile several files of a room as one, which takes half the time: a file that
# changes takes its neighbours along.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 6)

set(TOOLHOST_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
option(TOOLHOST_COVERAGE "Instrument for line coverage" OFF)

# What one clone has compiled serves every clone on the machine, since neither messages nor debug
# information name the folder of the build. Where coverage is counted they must: gcovr looks there.
if(NOT TOOLHOST_COVERAGE)
    set(SHARED_BY_CLONES CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
    add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
endif()

find_program(CCACHE ccache)
if(CCACHE)
    # Without the first words ccache takes no file that uses a precompiled header.
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${SHARED_BY_CLONES} ${CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()

add_library(toolhost_compile INTERFACE)
target_compile_options(toolhost_compile INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Werror)
# gcc 12 sees overlapping copies in every "text" + std::string (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(toolhost_compile INTERFACE
        -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
# libgit2's macros name the first fields of a struct only, which clang finds too few, and braces
# within braces say nothing new; gcc has its say.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(toolhost_compile INTERFACE -Wthread-safety
                           -Wno-missing-field-initializers -Wno-missing-braces)
endif()
# nlohmann/json converts silently to anything by default; a typo would then be a run-time surprise.
target_compile_definitions(toolhost_compile INTERFACE JSON_USE_IMPLICIT_CONVERSIONS=0)

if(TOOLHOST_SANITIZE)
    add_compile_options(-fsanitize=${TOOLHOST_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    # A null pointer, an object too small and a destroyed one end in a report of the address sanitizer
    # as well; to check for them twice is a sixth of the compilation. Fuzzers check everything.
    if(TOOLHOST_SANITIZE STREQUAL "address,undefined")
        add_compile_options(-fno-sanitize=null,object-size,vptr)
    endif()
    # Asio's fences are beside its locks, and not known to the thread sanitizer.
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

# Nearly every file reads JSON, and its header is most of what a file costs.
# toolhost_precompile(TARGET [OWNER]): with the headers that OWNER has compiled, which takes the same
# options; without an owner TARGET compiles its own.
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
