# The heap without its entry points, so that the tests keep their own malloc (memory_malloc_test.cc renames them).
set(memory ${PROJECT_SOURCE_DIR}/src/runtime/memory)
target_sources(${target} PRIVATE ${memory}/heap.cc ${memory}/hooks.cc ${memory}/pages.cc ${memory}/region.cc ${memory}/region_lookup.cc
                                 ${memory}/region_release.cc ${memory}/region_runs.cc)
find_package(Threads REQUIRED)
target_link_libraries(${target} PRIVATE Threads::Threads)
