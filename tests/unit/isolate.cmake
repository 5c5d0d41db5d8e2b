# What needs nothing of the runtime.
target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/isolate/page_lines.cc)
