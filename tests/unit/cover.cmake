# Campaigns on the toy machine instead of a program.
target_sources(${target} PRIVATE ${toy_machine} ${CMAKE_CURRENT_SOURCE_DIR}/support/fake_executor.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/random_program.cc)
# The law on a thousand random programs: `make test-long`.
add_test(NAME cover.CoverageLaw.long COMMAND ${target} --gtest_filter=CoverageLaw.*)
set_tests_properties(cover.CoverageLaw.long PROPERTIES LABELS long TIMEOUT 9000 ENVIRONMENT RAVEL_COVERAGE_PROGRAMS=1000)
