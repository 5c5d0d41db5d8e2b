# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# ravel_instrument(target...): builds targets so that `ravel run` can take over their threads, as `ravel c++` does.
#
#   executable, shared, module   compiled with the call-outs, linked with the runtime
#   static, object               compiled with the call-outs; what links them must be instrumented too, so the link with
#                                the runtime is handed on to it (INTERFACE)
#   interface, imported          refused: there is nothing to compile
#
# Compile flags are PRIVATE: a library that uses an instrumented one is not instrumented behind its back. Code that is not
# instrumented still runs, but its plain accesses and atomics are not seen.

# The runtime: the target of this build, or the library that was installed beside this file.
function(_ravel_runtime_target out)
  if(TARGET Ravel::runtime)
    set(${out} Ravel::runtime PARENT_SCOPE)
    return()
  endif()
  if(TARGET ravel_rt)
    add_library(Ravel::runtime ALIAS ravel_rt)
    set(${out} Ravel::runtime PARENT_SCOPE)
    return()
  endif()
  find_library(RAVEL_RUNTIME_LIBRARY ravel_rt
               HINTS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.. ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../lib)
  if(NOT RAVEL_RUNTIME_LIBRARY)
    message(FATAL_ERROR "ravel_instrument: libravel_rt.so not found; set RAVEL_RUNTIME_LIBRARY to its path")
  endif()
  add_library(Ravel::runtime SHARED IMPORTED GLOBAL)
  set_target_properties(Ravel::runtime PROPERTIES IMPORTED_LOCATION ${RAVEL_RUNTIME_LIBRARY})
  set(${out} Ravel::runtime PARENT_SCOPE)
endfunction()

# Ravel::api: <ravel/ravel.h> alone, for targets that are built with and without instrumentation.
if(NOT TARGET Ravel::api)
  find_path(RAVEL_INCLUDE_DIR ravel/ravel.h HINTS ${CMAKE_CURRENT_LIST_DIR}/../include ${CMAKE_CURRENT_LIST_DIR}/../../../include
            NO_DEFAULT_PATH)
  add_library(Ravel::api INTERFACE IMPORTED GLOBAL)
  target_include_directories(Ravel::api INTERFACE ${RAVEL_INCLUDE_DIR})
endif()

# share/compiler/block_calls.h: in this source tree, or installed beside the library.
function(_ravel_block_calls out)
  foreach(candidate ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../share/compiler ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../share/ravel/compiler)
    if(EXISTS ${candidate}/block_calls.h)
      set(${out} ${candidate}/block_calls.h PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "ravel_instrument: block_calls.h not found; install Ravel again")
endfunction()

function(ravel_instrument)
  if(NOT ARGN)
    message(FATAL_ERROR "ravel_instrument: name at least one target")
  endif()
  _ravel_runtime_target(runtime)
  _ravel_block_calls(calls)
  # g++ would expand copies and fills in place, after the call-outs have been put in.
  set(blocks -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -mmemcpy-strategy=libcall:-1:noalign
             -mmemset-strategy=libcall:-1:noalign)
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "ravel_instrument: ${target} is not a target")
    endif()
    get_target_property(type ${target} TYPE)
    get_target_property(imported ${target} IMPORTED)
    if(imported OR type STREQUAL "INTERFACE_LIBRARY" OR type STREQUAL "UTILITY")
      message(FATAL_ERROR "ravel_instrument: ${target} has no sources to compile")
    endif()
    get_target_property(done ${target} RAVEL_INSTRUMENTED)
    if(done)
      continue()
    endif()
    set_target_properties(${target} PROPERTIES RAVEL_INSTRUMENTED TRUE)

    # Instrumentation happens when code is generated: with link-time optimisation that would be the link, which must not
    # see -fsanitize=thread.
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION FALSE)
    target_compile_options(
      ${target}
      PRIVATE -g -fsanitize=thread -fno-lto
              $<$<AND:$<CONFIG:>,$<COMPILE_LANGUAGE:C,CXX>>:-O2>
              "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-tsan;${blocks}>"
              "$<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-tsan;${blocks}>"
              "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write=1>"
              "$<$<COMPILE_LANG_AND_ID:C,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write=1>"
              "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-include ${calls}>")

    target_include_directories(${target} AFTER PRIVATE ${RAVEL_INCLUDE_DIR})

    if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
      set(scope INTERFACE)
    else()
      set(scope PRIVATE)
    endif()
    # The runtime must come before libc and libpthread in the search order, and must not be dropped by --as-needed.
    target_link_options(${target} BEFORE ${scope} "LINKER:--push-state,--no-as-needed" "$<TARGET_FILE:${runtime}>"
                        "LINKER:--pop-state" "LINKER:-rpath,$<TARGET_FILE_DIR:${runtime}>" -rdynamic -pthread)
    if(TARGET ravel_rt)
      add_dependencies(${target} ravel_rt)
    endif()
  endforeach()
endfunction()
