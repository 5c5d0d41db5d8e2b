# Strategies run in whole campaigns, on the toy machine.
target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support/model_program.cc ${CMAKE_CURRENT_SOURCE_DIR}/support/model_traces.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/fake_executor.cc ${CMAKE_CURRENT_SOURCE_DIR}/support/random_program.cc)
