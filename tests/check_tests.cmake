# SPDX-License-Identifier: Apache-2.0
#
# Tests of `heddle check` on whole programs, one test per program file: litmus
# outcomes, benchmark programs, spin loops, programs that behave badly.
function(heddle_program_tests kind label driver options seconds)
  foreach(program ${ARGN})
    get_filename_component(name ${program} NAME_WE)
    add_test(NAME ${kind}.${name} COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/${driver} $<TARGET_FILE:heddle> ${options} ${program})
    set_tests_properties(${kind}.${name} PROPERTIES TIMEOUT ${seconds} LABELS ${label})
  endforeach()
endfunction()

file(GLOB litmus_programs CONFIGURE_DEPENDS litmus/*.c)
heddle_program_tests(litmus litmus litmus/litmus_test --reduce=mcr 300 ${litmus_programs})
file(GLOB checked_programs CONFIGURE_DEPENDS check_programs/*.c check_programs/*.cpp ${PROJECT_SOURCE_DIR}/bench/programs/*.c)
list(FILTER checked_programs EXCLUDE REGEX "-(fault|record)[.]c$")  # for heddle propagate, heddle record
heddle_program_tests(check check check_programs/programs_test --reduce=mcr 600 ${checked_programs})
# The answers of the C library, by every reduction.
file(GLOB agreement_programs CONFIGURE_DEPENDS agreement/*.c agreement/*.cpp)
heddle_program_tests(agreement agreement agreement/agreement_test "" 600 ${agreement_programs})
# Learned threads: the same answers.
add_test(NAME learn.litmus
  COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/litmus/litmus_test $<TARGET_FILE:heddle> --reduce=learn ${litmus_programs})
file(GLOB learned_programs CONFIGURE_DEPENDS check_programs/*.c check_programs/*.cpp ${PROJECT_SOURCE_DIR}/bench/programs/*-peer.c)
add_test(NAME learn.programs
  COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/check_programs/programs_test $<TARGET_FILE:heddle> --reduce=learn --no-merge ${learned_programs})
# As by default, histories that leave a thread in the same state are one.
add_test(NAME learn.merged
  COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/check_programs/programs_test $<TARGET_FILE:heddle> --memory=sc,pso ${learned_programs})
# A program of some size in ordinary C++, to the end; what is wrong with its variants is found.
add_test(NAME learn.lock_free_queue
  COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/check_programs/programs_test $<TARGET_FILE:heddle> --memory=sc --first-finding
          ${PROJECT_SOURCE_DIR}/bench/programs/lock_free_queue.cpp)
# The reduction that is there for comparison misses nothing either, with more executions.
set(small_programs)
foreach(name aba_stack access_before_memory_comes_back address_used_again block_comes_back_smaller store_reaches_next_block first_thread_ends_first futex_wait_runs_out lock_destroyed_too_early lock_in_released_memory local_mutex_of_two_calls local_of_returned_function own_mutex_again recursive_mutex_around_another spin_lock three_hundred_threads timed_wait_and_signal)
  list(APPEND small_programs ${CMAKE_CURRENT_SOURCE_DIR}/check_programs/${name}.c)
endforeach()
add_test(NAME dpor.programs
  COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/check_programs/programs_test $<TARGET_FILE:heddle> --reduce=dpor ${small_programs})
# Random programs about the heap, with and without memory that is used again, against every order of their operations.
add_test(NAME learn.heaps COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/heap/random_heaps_test $<TARGET_FILE:heddle> 3)
set_tests_properties(learn.heaps learn.litmus learn.programs learn.merged learn.lock_free_queue dpor.programs
  PROPERTIES TIMEOUT 600 LABELS check)
set_tests_properties(learn.litmus PROPERTIES LABELS litmus)
file(GLOB bad_programs CONFIGURE_DEPENDS programs_bad/*.c)
heddle_program_tests(bad check programs_bad/bad_programs_test "" 600 ${bad_programs})
