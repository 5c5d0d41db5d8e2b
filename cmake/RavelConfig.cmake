# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# For projects that are tested: find_package(Ravel PATHS <ravel>/cmake) or include() of this file, then
#
#   ravel_instrument(target)      the target's own sources are instrumented, and it is linked with Ravel's runtime
#
# does for a target what `ravel c++` does for a command. Libraries of the project that are to be seen have to be instrumented as well.
get_filename_component(_ravel_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
find_library(RAVEL_RUNTIME ravel_rt HINTS ${_ravel_root}/build/lib ${_ravel_root}/lib ${_ravel_root}/../../lib NO_DEFAULT_PATH)
find_program(RAVEL_TOOL ravel HINTS ${_ravel_root}/build/bin ${_ravel_root}/bin ${_ravel_root}/../../bin)
if(NOT RAVEL_RUNTIME)
  set(Ravel_FOUND FALSE)
  set(Ravel_NOT_FOUND_MESSAGE "libravel_rt.so is not there: build Ravel first")
  return()
endif()
set(Ravel_FOUND TRUE)

function(ravel_instrument target)
  target_compile_options(${target} PRIVATE -g -fsanitize=thread
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-tsan> $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-tsan>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write=1>
    $<$<COMPILE_LANG_AND_ID:C,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write=1>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE" OR type STREQUAL "SHARED_LIBRARY" OR type STREQUAL "MODULE_LIBRARY")
    # First in line and kept, though a static look finds no use of it: it has to come before the C library.
    target_link_options(${target} BEFORE PRIVATE LINKER:--no-as-needed ${RAVEL_RUNTIME} LINKER:--as-needed -rdynamic -pthread)
    get_filename_component(folder ${RAVEL_RUNTIME} DIRECTORY)
    set_property(TARGET ${target} APPEND PROPERTY BUILD_RPATH ${folder})
  endif()
endfunction()
