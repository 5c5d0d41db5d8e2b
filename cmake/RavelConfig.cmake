# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# find_package(Ravel): ravel_instrument(), ravel_add_test(), ravel_discover_tests(), the target Ravel::api and, in
# RAVEL_TOOL, the tool that belongs to them.
include(${CMAKE_CURRENT_LIST_DIR}/RavelInstrument.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/RavelTest.cmake)
_ravel_tool(RAVEL_TOOL)
set(Ravel_FOUND TRUE)
