# The assembler's back end, microcode text and object files.
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
find_library(MW_LIBELF elf REQUIRED)
find_path(MW_LIBELF_INCLUDE libelf.h REQUIRED)

set(MW_EXPANSIONS ${CMAKE_CURRENT_BINARY_DIR}/gen/expansions.inc)
add_custom_command(
  OUTPUT ${MW_EXPANSIONS}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/expansions.py ${CMAKE_CURRENT_SOURCE_DIR}/expansions.md ${MW_EXPANSIONS}
  DEPENDS expansions.py expansions.md
  COMMENT "Generating the expansion table")

add_library(mw_object STATIC src/object/object_file.cpp)
target_include_directories(mw_object PUBLIC include PRIVATE ${MW_LIBELF_INCLUDE})
target_link_libraries(mw_object PUBLIC mw_isa PRIVATE ${MW_LIBELF})

add_library(mw_asm_back STATIC
  src/back/allocate.cpp
  src/back/assemble.cpp
  src/back/dead.cpp
  src/back/encode.cpp
  src/back/expansion.cpp
  src/back/liveness.cpp
  src/back/loop_index.cpp
  src/back/lower.cpp
  src/back/lower_alu.cpp
  src/back/lower_choose.cpp
  src/back/lower_flow.cpp
  src/back/lower_if.cpp
  src/back/lower_input.cpp
  src/back/lower_loop.cpp
  src/back/lower_memory.cpp
  src/back/lower_operand.cpp
  src/back/lower_parallel.cpp
  src/back/lower_routines.cpp
  src/back/lower_wide.cpp
  src/back/semaphore.cpp
  src/text/disassemble.cpp
  src/text/line.cpp
  src/text/listing.cpp
  src/text/microcode.cpp
  src/text/word_reader.cpp
  ${MW_EXPANSIONS})
target_include_directories(mw_asm_back PUBLIC include PRIVATE src/back src/common src/text ${CMAKE_CURRENT_BINARY_DIR}/gen)
target_link_libraries(mw_asm_back PUBLIC mw_asm_front mw_isa PRIVATE mw_object fmt::fmt)

if(MASKWORK_TESTS)
  add_executable(asm_back_tests
    tests/back/helpers.cpp
    tests/back/listing_test.cpp
    tests/back/lowering_test.cpp
    tests/back/object_test.cpp
    tests/back/random_instructions.cpp
    tests/back/random_program.cpp
    tests/back/semaphore_test.cpp
    tests/back/text_test.cpp)
  target_link_libraries(asm_back_tests PRIVATE mw_asm_back mw_object GTest::gtest_main)
  add_test(NAME asm_back_tests COMMAND asm_back_tests)
  set_tests_properties(asm_back_tests PROPERTIES LABELS quick)

  # Whole programs on the golden model, against the language's rules.
  add_executable(asm_program_tests
    tests/back/helpers.cpp
    tests/back/assemble_fuzz_test.cpp
    tests/back/interpreter.cpp
    tests/back/language.cpp
    tests/back/language_convert.cpp
    tests/back/language_float.cpp
    tests/back/loop_index_test.cpp
    tests/back/memory_program_test.cpp
    tests/back/opcode_test.cpp
    tests/back/program_test.cpp
    tests/back/program_random_test.cpp
    tests/back/random_instructions.cpp
    tests/back/random_program.cpp
    tests/back/wave_program_test.cpp)
  target_link_libraries(asm_program_tests PRIVATE mw_asm_back mw_object mw_cmodel GTest::gtest_main)
  add_test(NAME asm_program_tests COMMAND asm_program_tests)
  set_tests_properties(asm_program_tests PROPERTIES LABELS quick)
  add_test(NAME asm_random_programs COMMAND asm_program_tests --gtest_filter=RandomPrograms.*)
  set_tests_properties(asm_random_programs PROPERTIES LABELS nightly ENVIRONMENT MASKWORK_SEEDS=20000)
endif()
