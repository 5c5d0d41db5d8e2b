# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# Tests that ctest runs under `ravel run`. Both take
#   OPTIONS option...        of `ravel run`: --iterations 500, --allow-vacuous
#   WORKING_DIRECTORY dir    where the test runs and where its plans (.ravel) are kept (default: the present binary folder)
#   LABELS label...          of the tests
#   PROPERTIES name value... further properties of the tests
#
# ravel_add_test(NAME name COMMAND target [argument...] [SEQUENCES file...] ...)
#   one test: the program, explored; with SEQUENCES whether these orders (.syn files) can still happen, and end as they say
# ravel_discover_tests(target [FRAMEWORK gtest|catch2|doctest] [EXTRA_ARGS argument...] [TEST_FILTER filter]
#                      [TEST_PREFIX prefix] [TEST_SUFFIX suffix] [TEST_LIST variable] [DISCOVERY_TIMEOUT seconds]
#                      [DISCOVERY_MODE POST_BUILD|PRE_TEST] ...)
#   one test for each test of the program, in the shape of gtest_discover_tests(): explored by itself, with a budget and
#   a saved plan of its own. Without FRAMEWORK the program's --help tells.

# The tool: the target of this build, or the program of the tree that this file belongs to.
function(_ravel_tool out)
  if(TARGET ravel)
    set(${out} "$<TARGET_FILE:ravel>" PARENT_SCOPE)
  else()
    _ravel_file(tool bin/ravel bin/ravel)
    set(${out} ${tool} PARENT_SCOPE)
  endif()
endfunction()

# Building the test builds the tool it needs.
function(_ravel_needs_tool target)
  if(TARGET ravel)
    add_dependencies(${target} ravel)
  endif()
endfunction()

function(_ravel_check_arguments function prefix)
  if(${prefix}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: unknown argument ${${prefix}_UNPARSED_ARGUMENTS}")
  endif()
  if(${prefix}_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${function}: nothing after ${${prefix}_KEYWORDS_MISSING_VALUES}")
  endif()
endfunction()

function(ravel_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;WORKING_DIRECTORY" "COMMAND;OPTIONS;LABELS;PROPERTIES;SEQUENCES")
  _ravel_check_arguments(ravel_add_test arg)
  if(NOT arg_NAME OR NOT arg_COMMAND)
    message(FATAL_ERROR "ravel_add_test: NAME and COMMAND are needed")
  endif()
  if(NOT arg_WORKING_DIRECTORY)
    set(arg_WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    _ravel_needs_tool(${program})
    set(program "$<TARGET_FILE:${program}>")
  endif()
  _ravel_tool(tool)
  set(action run)
  if(arg_SEQUENCES)
    list(TRANSFORM arg_SEQUENCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
    set(action syn test ${arg_SEQUENCES})
  endif()
  add_test(NAME "${arg_NAME}" COMMAND ${tool} ${action} ${arg_OPTIONS} -- ${program} ${arg_COMMAND}
           WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}")
  set_tests_properties("${arg_NAME}" PROPERTIES LABELS "${arg_LABELS}" ${arg_PROPERTIES})
endfunction()

function(ravel_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg ""
    "FRAMEWORK;WORKING_DIRECTORY;TEST_PREFIX;TEST_SUFFIX;TEST_FILTER;TEST_LIST;DISCOVERY_TIMEOUT;DISCOVERY_MODE"
    "OPTIONS;EXTRA_ARGS;LABELS;PROPERTIES")
  _ravel_check_arguments(ravel_discover_tests arg)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "ravel_discover_tests: ${target} is not a target")
  endif()
  if(arg_FRAMEWORK AND NOT arg_FRAMEWORK MATCHES "^(gtest|catch2|doctest)$")
    message(FATAL_ERROR "ravel_discover_tests: FRAMEWORK ${arg_FRAMEWORK}; one of gtest, catch2, doctest")
  endif()
  foreach(default "WORKING_DIRECTORY=${CMAKE_CURRENT_BINARY_DIR}" "TEST_LIST=${target}_TESTS" DISCOVERY_TIMEOUT=5
                  "DISCOVERY_MODE=${CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE}" DISCOVERY_MODE=POST_BUILD)
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" matched "${default}")
    if(NOT arg_${CMAKE_MATCH_1})
      set(arg_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  if(NOT arg_DISCOVERY_MODE MATCHES "^(POST_BUILD|PRE_TEST)$")
    message(FATAL_ERROR "ravel_discover_tests: DISCOVERY_MODE ${arg_DISCOVERY_MODE}; one of POST_BUILD, PRE_TEST")
  endif()
  _ravel_tool(tool)
  _ravel_needs_tool(${target})

  # Several calls for one target (other options, other filters) are several lists.
  get_property(calls TARGET ${target} PROPERTY RAVEL_DISCOVER_CALLS)
  math(EXPR calls "0${calls} + 1")
  set_property(TARGET ${target} PROPERTY RAVEL_DISCOVER_CALLS ${calls})
  set(base ${CMAKE_CURRENT_BINARY_DIR}/ravel_${target}_${calls})

  # One file that knows everything: run after the build, and included by ctest.
  set(content "")
  set(values TARGET "${target}" PROGRAM "$<TARGET_FILE:${target}>" TOOL "${tool}" TESTS "${base}-$<CONFIG>_tests.cmake")
  foreach(name FRAMEWORK WORKING_DIRECTORY TEST_PREFIX TEST_SUFFIX TEST_FILTER TEST_LIST DISCOVERY_TIMEOUT DISCOVERY_MODE OPTIONS
               EXTRA_ARGS LABELS PROPERTIES)
    string(APPEND content "set(ravel_${name} [==[${arg_${name}}]==])\n")
  endforeach()
  while(values)
    list(POP_FRONT values name value)
    string(APPEND content "set(ravel_${name} [==[${value}]==])\n")
  endwhile()
  string(APPEND content "include([==[${CMAKE_CURRENT_FUNCTION_LIST_DIR}/RavelDiscover.cmake]==])\n")
  file(GENERATE OUTPUT "${base}-$<CONFIG>.cmake" CONTENT "${content}")
  if(arg_DISCOVERY_MODE STREQUAL "POST_BUILD")
    add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS "${base}-$<CONFIG>_tests.cmake"
                       COMMAND ${CMAKE_COMMAND} -P "${base}-$<CONFIG>.cmake" VERBATIM)
  endif()
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several)
    file(WRITE "${base}_include.cmake" "include(\"${base}-\${CTEST_CONFIGURATION_TYPE}.cmake\" OPTIONAL)\n")
  else()
    file(WRITE "${base}_include.cmake" "include(\"${base}-${CMAKE_BUILD_TYPE}.cmake\")\n")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${base}_include.cmake")
endfunction()
