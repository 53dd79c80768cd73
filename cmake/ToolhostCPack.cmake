# `cpack -G DEB` in a build tree creates two packages: toolhost (the program and the shipped tools)
# and toolhost-sdk (everything that tool authors need, independent of the architecture).
set(TOOLHOST_MAINTAINER "toolhost developers <toolhost@example.invalid>" CACHE STRING
    "The Maintainer field of the Debian packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME toolhost)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${TOOLHOST_MAINTAINER}")
# CPack would put a common summary before each package's own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# Permissions must not depend on the packager's umask.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Listed, so that files installed by tests and libraries are left out.
set(CPACK_COMPONENTS_ALL host sdk)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_HOST_PACKAGE_NAME toolhost)
set(CPACK_DEBIAN_HOST_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_HOST_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_HOST_PACKAGE_SUGGESTS toolhost-sdk)
set(CPACK_DEBIAN_HOST_DESCRIPTION
    "host for AI-agent tools that are shared libraries
Finds the tools in its plugin folders, checks every call against allowlist
and schema, and runs it. Comes with a set of tools.")
# Dependencies of everything in the package, as the linker sees them.
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_HOST_PACKAGE_SHLIBDEPS ON)
endif()

set(CPACK_DEBIAN_SDK_PACKAGE_NAME toolhost-sdk)
set(CPACK_DEBIAN_SDK_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_SDK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS nlohmann-json3-dev)
set(CPACK_DEBIAN_SDK_PACKAGE_SUGGESTS "toolhost, cmake, g++")
set(CPACK_DEBIAN_SDK_DESCRIPTION
    "headers and CMake functions for writing toolhost plugins
One C header is the whole contract; the C++20 headers on top make tools of
typed functions.")

include(CPack)
