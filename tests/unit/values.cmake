# Strategies run in whole campaigns, on the toy machine.
target_sources(${target} PRIVATE ${toy_machine} ${CMAKE_CURRENT_SOURCE_DIR}/support/model_traces.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/fake_executor.cc ${CMAKE_CURRENT_SOURCE_DIR}/support/random_program.cc)
# The fuzz test at length: `make test-long`.
add_test(NAME values.Fuzz.long COMMAND ${target} --gtest_filter=ValuesFuzz.One*:ValuesFuzz.The*:ValuesFuzz.Nothing*)
set_tests_properties(values.Fuzz.long PROPERTIES LABELS long TIMEOUT 30000 ENVIRONMENT RAVEL_FUZZ_PROGRAMS=20000)
