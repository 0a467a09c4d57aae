# SPDX-License-Identifier: Apache-2.0
#
# Makes a source file from the script and the style of the HTML report:
#
#   cmake -DPAGE=src/report/page -DOUTPUT=page.cpp -P cmake/embed_page.cmake
#
# Scripts are joined in the order of their names. The hashes are those that a
# content security policy wants: SHA-256 of exactly what stands between the tags,
# in base 64.

function(joined pattern result)
  file(GLOB files ${PAGE}/${pattern})
  list(SORT files)
  set(text "\n")
  foreach(file ${files})
    file(READ ${file} piece)
    string(APPEND text "${piece}")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
function(base64_of_hash text result)
  string(SHA256 hash "${text}")
  set(encoded "")
  foreach(start RANGE 0 57 6)  # three bytes are four letters
    string(SUBSTRING ${hash} ${start} 6 digits)
    foreach(shift 18 12 6 0)
      math(EXPR letter "(0x${digits} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${letter} 1 letter)
      string(APPEND encoded ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${hash} 60 4 digits)  # two bytes are left
  foreach(shift 10 4)
    math(EXPR letter "(0x${digits} >> ${shift}) & 63")
    string(SUBSTRING ${alphabet} ${letter} 1 letter)
    string(APPEND encoded ${letter})
  endforeach()
  math(EXPR letter "(0x${digits} << 2) & 63")
  string(SUBSTRING ${alphabet} ${letter} 1 letter)
  set(${result} "${encoded}${letter}=" PARENT_SCOPE)
endfunction()

joined(*.js script)
joined(*.css style)
foreach(text "${script}" "${style}")
  if(text MATCHES "\\)page\"" OR text MATCHES "</(script|style)")
    message(FATAL_ERROR "the page must not contain )page\" nor a closing tag")
  endif()
endforeach()
base64_of_hash("${script}" script_hash)
base64_of_hash("${style}" style_hash)
file(WRITE ${OUTPUT}.new "// SPDX-License-Identifier: Apache-2.0
#include \"report/page.h\"

namespace heddle::report {

const std::string_view kPageScript = R\"page(${script})page\";
const std::string_view kPageStyle = R\"page(${style})page\";
const std::string_view kPageScriptHash = \"${script_hash}\", kPageStyleHash = \"${style_hash}\";

}  // namespace heddle::report
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
