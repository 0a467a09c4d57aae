# SPDX-License-Identifier: Apache-2.0
#
# heddle_folder(NAME [LLVM] [QUICK] [LIBRARIES ...]): one static library heddle_NAME from
# all sources of src/NAME and the folders in it. LLVM gives the folder LLVM's headers and its rules (no RTTI).
# QUICK: its speed does not matter (heddle_compile_quickly).

set(HEDDLE_WARNINGS -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough)
if(HEDDLE_WERROR)
  list(APPEND HEDDLE_WARNINGS -Werror)
endif()

macro(heddle_find_libraries)
  find_package(fmt REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
  # Several workers allocate and release at once: the C library's own memory costs two of them a tenth of their time, and one
  # of them a twentieth. Sanitizers bring their own.
  if(HEDDLE_SANITIZE)
    set(HEDDLE_MALLOC)
  else()
    find_package(mimalloc REQUIRED)
    set(HEDDLE_MALLOC mimalloc)
  endif()
  set(HEDDLE_LLVM_DIR /usr/lib/llvm-19)
  if(NOT EXISTS ${HEDDLE_LLVM_DIR}/include/llvm/IR/Module.h)
    message(FATAL_ERROR "LLVM 19 is missing: run scripts/bootstrap")
  endif()
endmacro()

# Several files in one compilation: what they include and instantiate is compiled once for
# all of them, which takes half of the time of a whole build. -DHEDDLE_TOGETHER=OFF is
# better for work on a few files. (CMake's own UNITY_BUILD writes absolute paths, which
# differ between clones, and so no other clone could use what the compiler cache has.)
option(HEDDLE_TOGETHER "Compile several files of a folder at once" ON)
set(HEDDLE_FILES_TOGETHER 6)
# Files that cannot share a compilation: they name, for themselves alone, something that a neighbour names too.
function(heddle_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES HEDDLE_APART ON)
endfunction()

# Replaces the target's sources by files that include HEDDLE_FILES_TOGETHER of them each.
function(heddle_compile_together target)
  get_target_property(sources ${target} SOURCES)
  set(apart)
  set(together)
  foreach(source ${sources})
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${path})
    get_source_file_property(is_apart ${source} HEDDLE_APART)
    get_source_file_property(is_generated ${source} GENERATED)
    if(is_apart OR is_generated OR NOT name MATCHES "[.]cpp$")
      list(APPEND apart ${source})
    else()
      list(APPEND together ${name})
    endif()
  endforeach()
  set(number 0)
  while(together)
    list(SUBLIST together 0 ${HEDDLE_FILES_TOGETHER} names)
    list(REMOVE_ITEM together ${names})
    list(TRANSFORM names REPLACE "(.+)" "#include \"\\1\"  // NOLINT(bugprone-suspicious-include)")
    list(JOIN names "\n" text)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/together/${target}_${number}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}\n" @ONLY)
    list(APPEND apart ${file})
    math(EXPR number "${number} + 1")
  endwhile()
  set_target_properties(${target} PROPERTIES SOURCES "${apart}")
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

function(heddle_compile_options target)
  if(HEDDLE_TOGETHER)
    heddle_compile_together(${target})
  endif()
  target_compile_options(${target} PRIVATE ${HEDDLE_WARNINGS})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  if(HEDDLE_SANITIZE)
    # vptr needs type information, which LLVM's classes do not have.
    target_compile_options(${target} PRIVATE
      -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${HEDDLE_SANITIZE})
  endif()
endfunction()

# Headers that nearly every file of a target includes, read once for all of them: a
# third of the time that a build takes. Files still include what they use. Targets
# of one kind are compiled with the same options and share what was read; the first
# of them says which headers.
set(HEDDLE_COMMON_HEADERS <algorithm> <cstdint> <functional> <map> <memory> <optional> <set> <string> <unordered_map> <utility> <vector>
  <fmt/format.h>)
function(heddle_precompile target kind)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>)
  get_property(first GLOBAL PROPERTY HEDDLE_PRECOMPILED_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${HEDDLE_COMMON_HEADERS} ${ARGN})
    set_property(GLOBAL PROPERTY HEDDLE_PRECOMPILED_${kind} ${target})
  endif()
endfunction()

# For code whose speed does not matter and that includes large headers (tests, the
# command line): in development it takes half the time to compile this way.
function(heddle_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0;-g1>)
endfunction()

set(HEDDLE_LLVM_HEADERS <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/IRBuilder.h> <llvm/IR/Module.h>)
function(heddle_use_llvm target)
  target_include_directories(${target} SYSTEM PRIVATE ${HEDDLE_LLVM_DIR}/include)
  target_compile_options(${target} PRIVATE -fno-rtti -Wno-unused-parameter)
  target_link_libraries(${target} PUBLIC ${HEDDLE_LLVM_DIR}/lib/libLLVM-19.so)
endfunction()

function(heddle_folder name)
  cmake_parse_arguments(FOLDER "LLVM;QUICK" "" "LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp ${PROJECT_SOURCE_DIR}/src/${name}/*/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(heddle_${name} STATIC ${sources})
  heddle_compile_options(heddle_${name})
  target_link_libraries(heddle_${name} PUBLIC ${FOLDER_LIBRARIES})
  if(FOLDER_LLVM)
    heddle_use_llvm(heddle_${name})
    heddle_precompile(heddle_${name} llvm ${HEDDLE_LLVM_HEADERS})
  elseif(FOLDER_QUICK)
    heddle_compile_quickly(heddle_${name})
    heddle_precompile(heddle_${name} quick <nlohmann/json.hpp>)
  else()
    heddle_precompile(heddle_${name} common)
  endif()
endfunction()

# heddle_embed_page(TARGET FOLDER): the script and the style in FOLDER become a library that the target links. As sources
# of the target itself they would wait for all that it links, and its other files for them.
function(heddle_embed_page target folder)
  set(page ${PROJECT_SOURCE_DIR}/${folder})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_page.cpp)
  file(GLOB files CONFIGURE_DEPENDS ${page}/*.js ${page}/*.css)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake)
  add_library(${target}_page STATIC ${output})
  heddle_compile_options(${target}_page)
  target_link_libraries(${target} PUBLIC ${target}_page)
endfunction()

# heddle_unit_tests(NAME [OPTIMISED] FOLDERS ... LIBRARIES ...): one GoogleTest binary from
# tests/unit/FOLDER/*_test.cpp of the given folders. OPTIMISED: the tests work hard themselves.
function(heddle_unit_tests name)
  cmake_parse_arguments(TESTS "OPTIMISED" "" "FOLDERS;LIBRARIES" ${ARGN})
  set(sources)
  foreach(folder ${TESTS_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${folder}/*_test.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  heddle_compile_options(${name})
  if(TESTS_OPTIMISED)
    heddle_precompile(${name} optimised_tests <gtest/gtest.h>)
  else()
    heddle_compile_quickly(${name})
    heddle_precompile(${name} tests <gtest/gtest.h>)
  endif()
  target_link_libraries(${name} PRIVATE ${TESTS_LIBRARIES} GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
endfunction()
