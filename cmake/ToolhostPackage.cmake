# Installs everything except the program and the SDK, and creates the Debian packages. Included
# last, when all targets are defined.

# toolhost_plugins builds the shipped tools without tests. Each tool has its own install rule.
include(ToolhostShippedPlugins)
add_custom_target(toolhost_plugins)
if(TOOLHOST_SHIPPED_PLUGINS)
    add_dependencies(toolhost_plugins ${TOOLHOST_SHIPPED_PLUGINS})
endif()

# The manual page: text from the template, options from the program.
set(man_page ${PROJECT_BINARY_DIR}/man/toolhost.1)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${man_page}
                   COMMAND toolhost __man ${PROJECT_SOURCE_DIR}/docs/man/toolhost.1.in ${man_page}
                   DEPENDS toolhost ${PROJECT_SOURCE_DIR}/docs/man/toolhost.1.in VERBATIM)
add_custom_target(toolhost_man ALL DEPENDS ${man_page})
# Everything that the install rules need is built together with the tools.
add_dependencies(toolhost_plugins toolhost_man)

set(completions ${CMAKE_CURRENT_LIST_DIR}/completions)
install(FILES ${man_page}
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT host)
install(FILES ${completions}/toolhost.bash RENAME toolhost
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT host)
install(FILES ${completions}/_toolhost
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT host)
install(FILES ${completions}/toolhost.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT host)
# Each Debian package has its own copyright file.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/toolhost COMPONENT host)
# Of statically linked libraries.
install(FILES ${PROJECT_SOURCE_DIR}/docs/NOTICE
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/toolhost COMPONENT host)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/toolhost-sdk COMPONENT sdk)
# Documentation for tool authors.
foreach(page IN ITEMS TOOL_DEVELOPMENT sdk cookbook abi validator)
    install(FILES ${PROJECT_SOURCE_DIR}/docs/${page}.md
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/toolhost-sdk COMPONENT sdk)
endforeach()

include(ToolhostCPack)
