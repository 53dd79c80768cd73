# The C++ libraries that the program links statically: finding and binding shared ones takes longer
# than everything else at startup. Other targets link the shared libraries, as do all targets with a
# sanitizer, which must see the libraries' own calls. libstdc++ stays shared: plugins bind to it,
# and a worker's handler of exhausted memory must be the one that their `new` calls.
#
# OpenSSL and PCRE2 stay shared: they read input of clients and tools, and get security updates from
# the system. So does libseccomp, because of its licence (LGPL).
find_package(yaml-cpp 0.7 REQUIRED)
find_package(fmt REQUIRED)
find_library(TOOLHOST_BOOST_FILESYSTEM_A libboost_filesystem.a)
find_library(TOOLHOST_BOOST_ATOMIC_A libboost_atomic.a)
find_library(TOOLHOST_YAML_CPP_A libyaml-cpp.a)
mark_as_advanced(TOOLHOST_BOOST_FILESYSTEM_A TOOLHOST_BOOST_ATOMIC_A TOOLHOST_YAML_CPP_A)

set(TOOLHOST_LINKS_STATICALLY OFF)
if(NOT TOOLHOST_SANITIZE AND TOOLHOST_BOOST_FILESYSTEM_A AND TOOLHOST_BOOST_ATOMIC_A
   AND TOOLHOST_YAML_CPP_A)
    set(TOOLHOST_LINKS_STATICALLY ON)
endif()

# toolhost_library(NAME SHARED STATIC...) defines toolhost_NAME, which is SHARED, except in programs
# for which toolhost_link_statically() was called.
function(toolhost_library NAME SHARED)
    add_library(toolhost_${NAME} INTERFACE)
    target_link_libraries(toolhost_${NAME} INTERFACE
        "$<IF:$<BOOL:$<TARGET_PROPERTY:TOOLHOST_STATIC>>,${ARGN},${SHARED}>")
endfunction()

function(toolhost_link_statically TARGET)
    if(TOOLHOST_LINKS_STATICALLY)
        set_target_properties(${TARGET} PROPERTIES TOOLHOST_STATIC ON)
    endif()
endfunction()

# Debian has no static archives of these two, but their headers contain all code.
add_library(toolhost_compiled_log STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/compiled_log.cpp)
target_compile_definitions(toolhost_compiled_log PRIVATE SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)

toolhost_library(filesystem Boost::filesystem
                 ${TOOLHOST_BOOST_FILESYSTEM_A} ${TOOLHOST_BOOST_ATOMIC_A})
toolhost_library(yaml yaml-cpp ${TOOLHOST_YAML_CPP_A})
toolhost_library(spdlog spdlog::spdlog toolhost_compiled_log)
toolhost_library(fmt fmt::fmt toolhost_compiled_log)
