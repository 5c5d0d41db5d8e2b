# Random traces, on which arrows are compared with happens-before.
target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support/random_trace.cc)
