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

install(TARGETS ravel RUNTIME DESTINATION bin)
install(TARGETS ravel_rt LIBRARY DESTINATION lib)
install(FILES include/ravel/interface.h include/ravel/ravel.h DESTINATION include/ravel)
install(FILES share/gdb/ravel_gdb.py DESTINATION share/ravel/gdb)
install(FILES share/suppressions.txt DESTINATION share/ravel)
install(FILES share/schema/report.schema.json DESTINATION share/ravel/schema)
install(FILES share/compiler/block_calls.h DESTINATION share/ravel/compiler)
install(FILES cmake/RavelConfig.cmake cmake/RavelInstrument.cmake ${PROJECT_BINARY_DIR}/RavelConfigVersion.cmake
        DESTINATION lib/cmake/Ravel)
