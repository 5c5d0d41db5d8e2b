# The toy machine that tries every interleaving.
target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support/model_program.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/model_traces.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/random_program.cc)
