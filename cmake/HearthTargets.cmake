# One static library per top folder, one executable per test file; headers are included from the repository root.

add_library(hearth_warnings INTERFACE)
target_compile_options(hearth_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                                                 -Wold-style-cast)

# hearth_library(<name> SOURCES … PUBLIC … PRIVATE …)
function(hearth_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} hearth_warnings)
endfunction()

# hearth_test(<name> SOURCES … LINK … LABELS …): run offscreen by ctest.
function(hearth_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE ${arg_LINK} Qt6::Test hearth_warnings)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_CACHE_HOME=/dev/null" TIMEOUT 300 LABELS "${arg_LABELS}")
endfunction()

# hearth_fuzz(<name> SOURCES … LINK …): a libFuzzer target.
function(hearth_fuzz name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} hearth_warnings)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
