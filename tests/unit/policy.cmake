# The toy machine, and how it runs under a policy.
target_sources(${target} PRIVATE ${toy_machine}
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/model_traces.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/policy_runner.cc)
