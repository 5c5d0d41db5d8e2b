target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/isolate/page_lines.cc)
