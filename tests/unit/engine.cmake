# Campaigns on the toy machine instead of a program.
target_sources(${target} PRIVATE ${toy_machine} ${CMAKE_CURRENT_SOURCE_DIR}/support/fake_executor.cc)
# Ten million executions: `make test-long`.
add_test(NAME engine.CampaignMemory.long COMMAND ${target} --gtest_filter=*CampaignMemory*)
set_tests_properties(engine.CampaignMemory.long PROPERTIES LABELS long TIMEOUT 9000 ENVIRONMENT RAVEL_MEMORY_EXECUTIONS=10000000)
