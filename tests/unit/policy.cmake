# The toy machine, and how it runs under a policy.
target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support/model_program.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/model_traces.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/policy_runner.cc)
