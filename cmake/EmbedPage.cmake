# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# The HTML report's sources (share/html) as string literals of the tool: report.html is the frame; its lines
# "<!-- style: FILE -->" and "<!-- script: FILE -->" are replaced by the file, "<!-- data -->" is where the data goes.
# Called with -P it writes the file; included it adds the step to a target.
if(CMAKE_SCRIPT_MODE_FILE)
  set(out "// Made from share/html by cmake/EmbedPage.cmake.\n#include \"report/formats/page.h\"\n\nnamespace ravel {\n\n")
  file(READ ${FOLDER}/report.html page)
  set(parts "")
  set(count 0)
  # One literal a piece: compilers need not take more than 64 KiB in one.
  function(add_part text)
    set(parts "${parts}    R\"~~(${text})~~\",\n" PARENT_SCOPE)
    math(EXPR more "${count} + 1")
    set(count ${more} PARENT_SCOPE)
  endfunction()
  set(hole -1)
  while(page MATCHES "<!-- (style|script|data)(: ([a-z_.]+))? -->")
    set(mark "${CMAKE_MATCH_0}")
    set(kind "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_3}")
    string(FIND "${page}" "${mark}" at)
    string(LENGTH "${mark}" length)
    string(SUBSTRING "${page}" 0 ${at} before)
    math(EXPR after "${at} + ${length}")
    string(SUBSTRING "${page}" ${after} -1 page)
    add_part("${before}")
    if(kind STREQUAL "data")
      set(hole ${count})
    else()
      file(READ ${FOLDER}/${name} content)
      if(kind STREQUAL "style")
        add_part("<style>\n${content}</style>")
      else()
        add_part("<script>\n${content}</script>")
      endif()
    endif()
  endwhile()
  add_part("${page}")
  string(APPEND out "const std::string_view kPageParts[] = {\n${parts}};\n"
                    "const std::size_t kPagePartCount = ${count};\nconst std::size_t kPageHole = ${hole};\n\n}  // namespace ravel\n")
  file(WRITE ${OUTPUT} "${out}")
  return()
endif()

function(ravel_embed_page target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.html ${folder}/*.css ${folder}/*.js)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/report_page.cc)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
