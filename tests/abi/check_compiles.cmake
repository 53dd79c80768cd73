# Compiles one file and discards the result:
#   cmake -DCOMPILER=name -DFLAGS=... -DSOURCE=file -P check_compiles.cmake
# If the compiler is not installed, the test is reported as skipped.
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
