# Campaigns on the toy machine instead of a program.
target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support/model_program.cc ${CMAKE_CURRENT_SOURCE_DIR}/support/fake_executor.cc)
