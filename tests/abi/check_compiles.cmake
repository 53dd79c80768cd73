# Compiles one file and throws the result away:
#   cmake -DCOMPILER=name -DFLAGS=... -DSOURCE=file -P check_compiles.cmake
# A compiler that is not installed skips the test in plain sight.
cmake_minimum_required(VERSION 3.21)
find_program(FOUND ${COMPILER})
if(NOT FOUND)
    message("SKIPPED: ${COMPILER} is not installed")
    return()
endif()
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(COMMAND ${FOUND} ${flags} -fsyntax-only ${SOURCE} RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "${COMPILER} ${FLAGS} ${SOURCE}: does not compile")
endif()
