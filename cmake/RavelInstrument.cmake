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
#
# This file lies in cmake/ of the sources (add_subdirectory) or in lib/cmake/Ravel of a build or installed tree; everything
# else is found from there, so that the tree can be moved.

# A file of Ravel: `source` below the sources, `tree` below a built or installed tree.
function(_ravel_file out source tree)
  foreach(candidate ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../${source} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../${tree})
    if(EXISTS ${candidate})
      file(REAL_PATH ${candidate} found)
      set(${out} ${found} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "Ravel: ${tree} not found beside ${CMAKE_CURRENT_FUNCTION_LIST_DIR}; build or install Ravel again")
endfunction()

# The runtime: the target of this build, or the library of the tree that this file belongs to.
function(_ravel_runtime_target out)
  if(NOT TARGET Ravel::runtime)
    if(TARGET ravel_rt)
      add_library(Ravel::runtime ALIAS ravel_rt)
    else()
      if(RAVEL_RUNTIME_LIBRARY)
        set(library ${RAVEL_RUNTIME_LIBRARY})
      else()
        _ravel_file(library lib/libravel_rt.so lib/libravel_rt.so)
      endif()
      add_library(Ravel::runtime SHARED IMPORTED GLOBAL)
      set_target_properties(Ravel::runtime PROPERTIES IMPORTED_LOCATION ${library})
    endif()
  endif()
  set(${out} Ravel::runtime PARENT_SCOPE)
endfunction()

# The folder of the assembler that puts call-outs around atomic instructions in inline assembly. It calls bin/ravel of the
# built or installed tree that it lies in.
function(_ravel_assembler_folder out)
  if(TARGET ravel AND Ravel_BINARY_DIR)
    set(${out} ${Ravel_BINARY_DIR}/share/ravel/compiler PARENT_SCOPE)
    return()
  endif()
  _ravel_file(assembler share/ravel/compiler/as share/ravel/compiler/as)
  get_filename_component(folder ${assembler} DIRECTORY)
  set(${out} ${folder} PARENT_SCOPE)
endfunction()

# Ravel::api: the headers alone, for targets that are built with and without instrumentation.
if(NOT TARGET Ravel::api)
  _ravel_file(_ravel_include include include)
  add_library(Ravel::api INTERFACE IMPORTED GLOBAL)
  target_include_directories(Ravel::api INTERFACE ${_ravel_include})
endif()

function(ravel_instrument)
  cmake_parse_arguments(PARSE_ARGV 0 given "WHOLE_SYNC" "" "")
  set(targets ${given_UNPARSED_ARGUMENTS})
  if(NOT targets)
    message(FATAL_ERROR "ravel_instrument: name at least one target")
  endif()
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/RavelFlags.cmake)
  _ravel_runtime_target(runtime)
  _ravel_file(calls share/compiler/block_calls.h share/ravel/compiler/block_calls.h)
  _ravel_file(include include include)
  _ravel_assembler_folder(assembler)
  foreach(target IN LISTS targets)
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
    list(JOIN RAVEL_FLAGS_CLANG " " clang)
    target_compile_options(
      ${target}
      PRIVATE ${RAVEL_FLAGS_COMMON}
              $<$<AND:$<CONFIG:>,$<COMPILE_LANGUAGE:C,CXX>>:-O2>
              "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${RAVEL_FLAGS_GNU}>"
              "$<$<COMPILE_LANG_AND_ID:C,GNU>:${RAVEL_FLAGS_GNU}>"
              "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:${clang}>"
              "$<$<COMPILE_LANG_AND_ID:C,Clang>:SHELL:${clang}>"
              "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-include \"${calls}\">"
              "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-B \"${assembler}\">")
    if(given_WHOLE_SYNC)
      _ravel_file(whole share/compiler/whole share/ravel/compiler/whole)
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem \"${whole}\">")
    endif()
    if(TARGET ravel)
      add_dependencies(${target} ravel)  # its assembler
    endif()
    target_include_directories(${target} AFTER PRIVATE ${include})

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
