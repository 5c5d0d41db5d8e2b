# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# cmake --toolchain <tree>/lib/cmake/Ravel/RavelToolchain.cmake: a whole project compiled for Ravel, unchanged.
#
#   RAVEL_TESTS=ON   ctest runs the project's test programs under `ravel run`; RAVEL_TEST_OPTIONS are its options
#
# RAVEL_CC and RAVEL_CXX in the environment name the compilers behind the wrappers, as everywhere.
get_filename_component(_ravel_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
set(CMAKE_C_COMPILER ${_ravel_bin}/ravel-cc)
set(CMAKE_CXX_COMPILER ${_ravel_bin}/ravel-c++)
# The wrappers leave link-time optimisation out: what is asked about it would be answered wrongly.
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)

set(RAVEL_TESTS OFF CACHE BOOL "ctest runs test programs under `ravel run'")
set(RAVEL_TEST_OPTIONS "--allow-vacuous;--time;5s" CACHE STRING "Options of `ravel run' for RAVEL_TESTS, a list")
if(RAVEL_TESTS)
  # Programs that ctest starts. The older name, for machines that need an emulator, is all that CMake before 3.29 has.
  if(CMAKE_VERSION VERSION_LESS 3.29)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${_ravel_bin}/ravel;run;${RAVEL_TEST_OPTIONS};--")
  else()
    set(CMAKE_TEST_LAUNCHER "${_ravel_bin}/ravel;run;${RAVEL_TEST_OPTIONS};--")
  endif()
endif()
