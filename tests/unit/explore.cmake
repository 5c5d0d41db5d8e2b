# Strategies run in whole campaigns, on the toy machine.
target_sources(${target} PRIVATE ${toy_machine} ${CMAKE_CURRENT_SOURCE_DIR}/support/model_traces.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/fake_executor.cc ${CMAKE_CURRENT_SOURCE_DIR}/support/random_program.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/random_monitors.cc ${CMAKE_CURRENT_SOURCE_DIR}/support/random_timed.cc)
# The fuzz test at length: `make test-long`.
add_test(NAME explore.DporFuzz.long COMMAND ${target} --gtest_filter=*Fuzz.OneExecutionATrace*:GuessFuzz*)
set_tests_properties(explore.DporFuzz.long PROPERTIES LABELS long TIMEOUT 30000 ENVIRONMENT RAVEL_FUZZ_PROGRAMS=20000)
# Reachability testing against unreduced search, on more programs.
add_test(NAME explore.Reachability.long COMMAND ${target} --gtest_filter=ReachabilityFuzz.Random*SequenceOnce)
set_tests_properties(explore.Reachability.long PROPERTIES LABELS long TIMEOUT 30000 ENVIRONMENT RAVEL_REACHABILITY_PROGRAMS=20000)
# Each rule of it taken away, on all programs from the first on.
add_test(NAME explore.ReachabilityRules.long COMMAND ${target} --gtest_filter=ReachabilityFuzz.RulesOverAllSeeds*)
set_tests_properties(explore.ReachabilityRules.long PROPERTIES LABELS long TIMEOUT 30000 ENVIRONMENT RAVEL_REACHABILITY_PROGRAMS=2000)
