# Verilated libraries of mw_top. Each named configuration is verilated and compiled once; tests and the command line share it.
#
# Verilator and its makefile run at build time, not while CMake configures: configuring stays quick, and a change in the RTL rebuilds
# only what it must. A job pool keeps several of these from running at once, since each uses all cores itself.
find_program(MW_VERILATOR verilator REQUIRED)
execute_process(COMMAND ${MW_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
# For fpga/ too, which verilates the netlist.
set(MW_VERILATOR_ROOT ${verilator_root} CACHE INTERNAL "Verilator's files")
set(MW_CORES ${cores} CACHE INTERNAL "Processor cores for make")
set_property(GLOBAL APPEND PROPERTY JOB_POOLS mw_verilate=1)

string(REPLACE ";" "\n" MW_RTL_LINES "${MW_RTL_SOURCES}")
file(WRITE ${CMAKE_BINARY_DIR}/rtl_sources.txt "${MW_RTL_LINES}\n")

set(MW_VERILATOR_FLAGS -O3 --x-assign fast --x-initial fast --assert -Wall --output-split 8000 --output-split-cfuncs 2000 --no-timing)

# mw_verilate(PREFIX ARCHIVE HEADER_DIR NUMBER TRACE): archive of configuration NUMBER under class name PREFIX.
function(mw_verilate prefix number trace out_archive out_dir)
  set(dir ${CMAKE_BINARY_DIR}/verilated/${prefix})
  set(archive ${dir}/${prefix}__ALL.a)
  set(flags ${MW_VERILATOR_FLAGS})
  if(trace)
    list(APPEND flags --trace-fst --trace-structs)
  endif()
  set(cache "")
  if(CCACHE)
    set(cache OBJCACHE=${CCACHE})
  endif()
  add_custom_command(
    OUTPUT ${archive} ${dir}/${prefix}.h
    COMMAND ${MW_VERILATOR} --cc ${flags} -GCFG=${number} --top-module mw_top --prefix ${prefix} --Mdir ${dir} ${MW_RTL_SOURCES}
    COMMAND make -s -C ${dir} -f ${prefix}.mk -j ${MW_CORES} ${cache} "OPT_FAST=-O2" "OPT_SLOW=-O0" "OPT_GLOBAL=-O2" ${prefix}__ALL.a > ${dir}/make.log
    DEPENDS ${MW_RTL_SOURCES}
    JOB_POOL mw_verilate
    COMMENT "Verilating ${prefix}"
    VERBATIM)
  set(${out_archive} ${archive} PARENT_SCOPE)
  set(${out_dir} ${dir} PARENT_SCOPE)
endfunction()

# mw_sim_object(PREFIX CONFIG TRACE_SUFFIX DIR ARCHIVE): object library PREFIX_sim, the RtlSim of a verilated top. Only it needs to see the verilated header.
function(mw_sim_object prefix config trace_suffix dir archive)
  set(MW_PREFIX ${prefix})
  set(MW_CONFIG ${config})
  set(MW_TRACE_SUFFIX ${trace_suffix})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_sim.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/verif/lib/src/rtl_sim_config.cpp.in ${source} @ONLY)
  add_library(${prefix}_sim OBJECT ${source})
  # The archive too: Verilator leaves a header that did not change untouched, whatever became of those that it includes.
  set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${dir}/${prefix}.h ${archive})
  target_include_directories(${prefix}_sim SYSTEM PRIVATE ${dir} ${MW_VERILATOR_ROOT}/include ${MW_VERILATOR_ROOT}/include/vltstd)
  target_include_directories(${prefix}_sim PRIVATE ${PROJECT_SOURCE_DIR}/verif/lib/src)
  target_link_libraries(${prefix}_sim PRIVATE mw_verif)
endfunction()
