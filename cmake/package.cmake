# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# `cpack` in the build folder (or the target `package`) makes a Debian package: the installed tree below /usr, with the
# libraries that the tool needs as dependencies.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ravel)
set(CPACK_PACKAGE_VENDOR "The Ravel authors")
set(CPACK_PACKAGE_CONTACT "The Ravel authors <ravel@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds and replays the interleaving that breaks a C++ program")
set(CPACK_PACKAGE_DESCRIPTION
    "Ravel takes over the scheduling of an unmodified C++20 program or test, looks for
the interleaving that breaks it, names the defect and replays it.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | clang")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS gdb)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/ravel RENAME copyright)
include(CPack)
