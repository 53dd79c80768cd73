# What is installed besides the program and the SDK, and the Debian packages made of it all.
# Included last, when every target is known.

# toolhost_plugins: the tools that ship, for those who want to run and not to test. Each installs
# itself.
include(ToolhostShippedPlugins)
add_custom_target(toolhost_plugins)
if(TOOLHOST_SHIPPED_PLUGINS)
    add_dependencies(toolhost_plugins ${TOOLHOST_SHIPPED_PLUGINS})
endif()

# The manual page: prose from the template, options from the program itself.
set(man_page ${PROJECT_BINARY_DIR}/man/toolhost.1)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${man_page}
                   COMMAND toolhost __man ${PROJECT_SOURCE_DIR}/docs/man/toolhost.1.in ${man_page}
                   DEPENDS toolhost ${PROJECT_SOURCE_DIR}/docs/man/toolhost.1.in VERBATIM)
add_custom_target(toolhost_man ALL DEPENDS ${man_page})
# A build of the program and the shipped tools can be installed.
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
# Of the libraries that are linked statically.
install(FILES ${PROJECT_SOURCE_DIR}/docs/NOTICE
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/toolhost COMPONENT host)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/toolhost-sdk COMPONENT sdk)
# What a tool author reads.
foreach(page IN ITEMS TOOL_DEVELOPMENT sdk cookbook abi validator)
    install(FILES ${PROJECT_SOURCE_DIR}/docs/${page}.md
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/toolhost-sdk COMPONENT sdk)
endforeach()

include(ToolhostCPack)
