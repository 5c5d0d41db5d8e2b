# Traces by hand and at random, and the naive detector they are judged by.
target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/model/text/trace_text.cc ${PROJECT_SOURCE_DIR}/src/model/text/trace_parse.cc
                                 ${CMAKE_CURRENT_SOURCE_DIR}/support/full_vector.cc ${CMAKE_CURRENT_SOURCE_DIR}/support/random_trace.cc)
find_package(fmt REQUIRED)
target_link_libraries(${target} PRIVATE fmt::fmt)
