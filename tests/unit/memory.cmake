# The heap, its C functions renamed so that the tests keep their own malloc.
set(memory ${PROJECT_SOURCE_DIR}/src/runtime/memory)
set(platform ${PROJECT_SOURCE_DIR}/src/runtime/platform)
target_sources(${target} PRIVATE ${memory}/heap.cc ${memory}/hooks.cc ${memory}/malloc.cc ${platform}/pages.cc ${memory}/region.cc
                                 ${memory}/region_lookup.cc ${memory}/region_nearest.cc ${memory}/region_release.cc ${memory}/region_runs.cc)
set(renamed)
foreach(name malloc free calloc realloc reallocarray memalign aligned_alloc posix_memalign valloc pvalloc malloc_usable_size malloc_trim
             malloc_stats mallopt mallinfo mallinfo2)
  list(APPEND renamed ${name}=ravel_test_${name})
endforeach()
set_source_files_properties(${memory}/malloc.cc PROPERTIES COMPILE_DEFINITIONS "${renamed}")
find_package(Threads REQUIRED)
target_link_libraries(${target} PRIVATE Threads::Threads)
