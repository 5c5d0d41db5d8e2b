# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# find_package(Ravel): gives ravel_instrument() and, in RAVEL_TOOL, the tool that belongs to it.
include(${CMAKE_CURRENT_LIST_DIR}/RavelInstrument.cmake)
find_program(RAVEL_TOOL ravel HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin)
set(Ravel_FOUND TRUE)
