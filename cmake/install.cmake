# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# The installed tree mirrors the build tree: bin/ravel finds ../lib/libravel_rt.so and ../share/ravel in both.
include(CMakePackageConfigHelpers)

configure_file(${PROJECT_SOURCE_DIR}/share/gdb/ravel_gdb.py ${PROJECT_BINARY_DIR}/share/ravel/gdb/ravel_gdb.py COPYONLY)
configure_file(${PROJECT_SOURCE_DIR}/share/suppressions.txt ${PROJECT_BINARY_DIR}/share/ravel/suppressions.txt COPYONLY)
foreach(header interface.h ravel.h)
  configure_file(${PROJECT_SOURCE_DIR}/include/ravel/${header} ${PROJECT_BINARY_DIR}/include/ravel/${header} COPYONLY)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/share/compiler/block_calls.h ${PROJECT_BINARY_DIR}/share/ravel/compiler/block_calls.h COPYONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RavelConfigVersion.cmake COMPATIBILITY SameMinorVersion)

# Manual pages and completion, from the tool's own tables. bash, zsh and fish look for them in these places; man finds
# the pages beside a bin/ that is in PATH.
set(pages ${PROJECT_BINARY_DIR}/share/man/man1)
set(completions ${PROJECT_BINARY_DIR}/share/bash-completion/completions/ravel ${PROJECT_BINARY_DIR}/share/zsh/site-functions/_ravel
                ${PROJECT_BINARY_DIR}/share/fish/vendor_completions.d/ravel.fish)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/bash-completion/completions ${PROJECT_BINARY_DIR}/share/zsh/site-functions
                    ${PROJECT_BINARY_DIR}/share/fish/vendor_completions.d)
list(GET completions 0 bash)
list(GET completions 1 zsh)
list(GET completions 2 fish)
add_custom_command(
  OUTPUT ${pages}/ravel.1 ${completions}
  COMMAND ravel man --directory ${pages}
  COMMAND ravel completion bash > ${bash}
  COMMAND ravel completion zsh > ${zsh}
  COMMAND ravel completion fish > ${fish}
  DEPENDS ravel
  COMMENT "Manual pages and completion"
  VERBATIM)
add_custom_target(ravel_pages ALL DEPENDS ${pages}/ravel.1 ${completions})
install(DIRECTORY ${pages} DESTINATION share/man)
install(FILES ${bash} DESTINATION share/bash-completion/completions)
install(FILES ${zsh} DESTINATION share/zsh/site-functions)
install(FILES ${fish} DESTINATION share/fish/vendor_completions.d)

install(TARGETS ravel RUNTIME DESTINATION bin)
install(TARGETS ravel_rt LIBRARY DESTINATION lib)
install(FILES include/ravel/interface.h include/ravel/ravel.h DESTINATION include/ravel)
install(FILES share/gdb/ravel_gdb.py DESTINATION share/ravel/gdb)
install(FILES share/schema/report.schema.json DESTINATION share/ravel/schema)
install(FILES share/suppressions.txt DESTINATION share/ravel)
install(FILES share/compiler/block_calls.h DESTINATION share/ravel/compiler)
install(FILES cmake/RavelConfig.cmake cmake/RavelInstrument.cmake ${PROJECT_BINARY_DIR}/RavelConfigVersion.cmake
        DESTINATION lib/cmake/Ravel)
