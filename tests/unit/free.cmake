# The seedings of noise, which are system calls of the library inside the program.
file(GLOB noise_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/free/noise/*.cc)
list(REMOVE_ITEM noise_sources ${PROJECT_SOURCE_DIR}/src/free/noise/timeout_tamper.cc)
target_sources(${target} PRIVATE ${noise_sources})
