# SPDX-License-Identifier: Apache-2.0
#
# find_package(Heddle) gives a project
#
#   heddle_check(TARGET [NAME name] [ARGUMENTS argument...] [OPTIONS option...] [EXPECT holds|violated|undecided])
#
# a CTest test that explores every causally different execution of an executable and
# expects that none fails. Its report is a page in ${CMAKE_BINARY_DIR}/heddle.
#
#   find_package(Heddle REQUIRED)
#   enable_testing()
#   add_executable(queue_test queue_test.cpp)
#   heddle_check(queue_test OPTIONS --memory=tso --time-limit=60)
#
# If the project is compiled by heddle-cc and heddle-c++, the program itself is
# checked, with all that is linked into it. Otherwise its own sources are, with its
# include folders, definitions and language standard; libraries of the project that it links are not
# seen then, and linking fails if it needs them.
#
# <heddle.h> comes with the target Heddle::heddle.

get_filename_component(HEDDLE_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(HEDDLE_COMMAND ${HEDDLE_PREFIX}/bin/heddle)
if(NOT EXISTS ${HEDDLE_COMMAND})
  set(Heddle_FOUND FALSE)
  set(Heddle_NOT_FOUND_MESSAGE "${HEDDLE_COMMAND} is missing")
  return()
endif()

if(NOT TARGET Heddle::heddle)
  add_library(Heddle::heddle INTERFACE IMPORTED)
  set_target_properties(Heddle::heddle PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${HEDDLE_PREFIX}/include)
endif()

function(heddle_check target)
  cmake_parse_arguments(CHECK "" "NAME;EXPECT" "ARGUMENTS;OPTIONS" ${ARGN})
  if(CHECK_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_check(${target}): what does ${CHECK_UNPARSED_ARGUMENTS} mean?")
  endif()
  if(NOT CHECK_NAME)
    set(CHECK_NAME heddle.${target})
  endif()
  set(code 0)
  if(CHECK_EXPECT STREQUAL violated)
    set(code 1)
  elseif(CHECK_EXPECT STREQUAL undecided)
    set(code 4)
  elseif(CHECK_EXPECT AND NOT CHECK_EXPECT STREQUAL holds)
    message(FATAL_ERROR "heddle_check(${target}): EXPECT is holds, violated or undecided, not ${CHECK_EXPECT}")
  endif()
  if("${CMAKE_C_COMPILER};${CMAKE_CXX_COMPILER}" MATCHES "heddle-c")
    set(subject $<TARGET_FILE:${target}>)
  else()
    get_target_property(sources ${target} SOURCES)
    set(subject)
    foreach(source ${sources})
      if(source MATCHES "\\.(c|cc|cpp|cxx|C)$")
        get_filename_component(source ${source} ABSOLUTE)
        list(APPEND subject ${source})
      endif()
    endforeach()
    foreach(property INCLUDE_DIRECTORIES=-I COMPILE_DEFINITIONS=-D COMPILE_OPTIONS=)
      string(REGEX MATCH "^([A-Z_]+)=(.*)$" _ ${property})
      set(values $<TARGET_PROPERTY:${target},${CMAKE_MATCH_1}>)
      list(APPEND subject "$<$<BOOL:${values}>:--cflags=${CMAKE_MATCH_2}$<JOIN:${values}, ${CMAKE_MATCH_2}>>")
    endforeach()
    get_target_property(standard ${target} CXX_STANDARD)
    if(standard AND "${sources}" MATCHES "\\.(cc|cpp|cxx|C)(;|$)")
      list(APPEND subject --cflags=-std=c++${standard})
    endif()
  endif()
  set(command ${HEDDLE_COMMAND} check ${CHECK_OPTIONS} --format=html ${subject})
  if(CHECK_ARGUMENTS)
    list(APPEND command -- ${CHECK_ARGUMENTS})
  endif()
  if(code)  # CTest knows only 0; no semicolon here, for it would be taken apart
    set(command sh -c "\"$@\" && exit 1 || test $? -eq ${code}" heddle_check ${command})
  endif()
  add_test(NAME ${CHECK_NAME} COMMAND ${command} COMMAND_EXPAND_LISTS)
  set_tests_properties(${CHECK_NAME} PROPERTIES ENVIRONMENT HEDDLE_DIR=${CMAKE_BINARY_DIR}/heddle)
endfunction()

set(Heddle_FOUND TRUE)
