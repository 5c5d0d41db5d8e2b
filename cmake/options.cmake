option(RAVEL_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(RAVEL_BUILD_BENCH "Build the benchmarks" ${RAVEL_BUILD_TESTS})
# Off where only the compiler's warnings are wanted.
option(RAVEL_OPTIMIZE "Parts choose their own optimisation" ON)
option(RAVEL_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

add_library(ravel_warnings INTERFACE)
target_compile_options(ravel_warnings INTERFACE -Wall -Wextra -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual>
                                                $<$<BOOL:${RAVEL_WERROR}>:-Werror>)

# For the tool and the unit tests; the runtime replaces malloc itself and is not usable in such a build.
option(RAVEL_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
if(RAVEL_SANITIZE)
  # Without the check of virtual tables: it needs the type information that code of the tested process does without.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()
