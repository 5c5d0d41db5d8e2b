# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# The installed tree. The build tree mirrors it, so that the tool, the CMake package and ravel.pc are used in the same way
# from both, and nothing in it knows where it lies: bin/ravel finds ../lib/libravel_rt.so, ../include and ../share/ravel.
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/RavelFlags.cmake)

# As part of a larger project Ravel is a tool of its tests, not what it installs.
option(RAVEL_INSTALL "Install Ravel" ${PROJECT_IS_TOP_LEVEL})

# Files of the sources: into the build tree now, and installed.
function(ravel_tree_file source folder)
  get_filename_component(name ${source} NAME)
  configure_file(${PROJECT_SOURCE_DIR}/${source} ${PROJECT_BINARY_DIR}/${folder}/${name} COPYONLY)
  if(RAVEL_INSTALL)
    install(FILES ${PROJECT_SOURCE_DIR}/${source} DESTINATION ${folder})
  endif()
endfunction()

file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ravel/*.h)
foreach(header ${headers})
  ravel_tree_file(${header} include/ravel)
endforeach()
ravel_tree_file(share/gdb/ravel_gdb.py share/ravel/gdb)
ravel_tree_file(share/schema/report.schema.json share/ravel/schema)
ravel_tree_file(share/schema/facts.schema.json share/ravel/schema)
ravel_tree_file(share/suppressions.txt share/ravel)
ravel_tree_file(share/compiler/block_calls.h share/ravel/compiler)
foreach(header semaphore latch barrier ravel_phase.h)
  ravel_tree_file(share/compiler/whole/${header} share/ravel/compiler/whole)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/share/compiler/as ${PROJECT_BINARY_DIR}/share/ravel/compiler/as COPYONLY)
if(RAVEL_INSTALL)
  install(PROGRAMS share/compiler/as DESTINATION share/ravel/compiler)
endif()
ravel_tree_file(share/meson/ravel.ini share/ravel/meson)
foreach(module RavelConfig RavelFlags RavelInstrument RavelTest RavelDiscover RavelToolchain)
  ravel_tree_file(cmake/${module}.cmake lib/cmake/Ravel)
endforeach()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lib/cmake/Ravel/RavelConfigVersion.cmake COMPATIBILITY SameMinorVersion)

foreach(name ravel ravel-clang)
  if(name STREQUAL "ravel")
    set(RAVEL_PC_COMPILER g++)
    list(JOIN RAVEL_FLAGS_GNU " " own)
  else()
    set(RAVEL_PC_COMPILER clang++)
    list(JOIN RAVEL_FLAGS_CLANG " " own)
  endif()
  list(JOIN RAVEL_FLAGS_COMMON " " RAVEL_PC_FLAGS)
  string(APPEND RAVEL_PC_FLAGS " ${own}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/ravel.pc.in ${PROJECT_BINARY_DIR}/lib/pkgconfig/${name}.pc @ONLY)
endforeach()

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

if(RAVEL_INSTALL)
  install(DIRECTORY ${pages} DESTINATION share/man)
  install(FILES ${bash} DESTINATION share/bash-completion/completions)
  install(FILES ${zsh} DESTINATION share/zsh/site-functions)
  install(FILES ${fish} DESTINATION share/fish/vendor_completions.d)
  install(TARGETS ravel RUNTIME DESTINATION bin)
  install(FILES ${PROJECT_BINARY_DIR}/bin/ravel-c++ ${PROJECT_BINARY_DIR}/bin/ravel-cc DESTINATION bin)
  install(TARGETS ravel_rt ravel_free LIBRARY DESTINATION lib)
  install(FILES ${PROJECT_BINARY_DIR}/lib/cmake/Ravel/RavelConfigVersion.cmake DESTINATION lib/cmake/Ravel)
  install(FILES ${PROJECT_BINARY_DIR}/lib/pkgconfig/ravel.pc ${PROJECT_BINARY_DIR}/lib/pkgconfig/ravel-clang.pc
          DESTINATION lib/pkgconfig)
endif()
