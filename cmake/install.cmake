# SPDX-License-Identifier: Apache-2.0
#
# What `make install` and the Debian package hold: the command, its runtime where it
# looks for it (../lib/heddle), <heddle.h>, the CMake package, manual pages and
# completion (made by the command itself), examples and documents.
include(GNUInstallDirs)
# What is installed is what `heddle` depends on; tests need not be built for it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)
set_target_properties(heddle PROPERTIES INSTALL_RPATH ${HEDDLE_LLVM_DIR}/lib)
install(TARGETS heddle RUNTIME DESTINATION bin)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/heddle/ DESTINATION lib/heddle USE_SOURCE_PERMISSIONS PATTERN "*.d" EXCLUDE)
install(FILES include/heddle.h include/heddle.hpp include/heddle_gtest.hpp DESTINATION include)
install(FILES cmake/HeddleConfig.cmake DESTINATION lib/cmake/Heddle)
install(DIRECTORY docs examples DESTINATION share/doc/heddle)
install(FILES README.md LICENSE DESTINATION share/doc/heddle)
install(CODE "
  set(prefix \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX})
  foreach(name heddle-cc heddle-c++)
    file(CREATE_LINK heddle \${prefix}/bin/\${name} SYMBOLIC)
  endforeach()
  set(manual \${prefix}/share/man/man1)
  set(bash \${prefix}/share/bash-completion/completions)
  set(zsh \${prefix}/share/zsh/site-functions)
  set(fish \${prefix}/share/fish/vendor_completions.d)
  file(MAKE_DIRECTORY \${manual} \${bash} \${zsh} \${fish})
  execute_process(COMMAND ${CMAKE_BINARY_DIR}/bin/heddle manual -o \${manual} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_BINARY_DIR}/bin/heddle completion bash OUTPUT_FILE \${bash}/heddle COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_BINARY_DIR}/bin/heddle completion zsh OUTPUT_FILE \${zsh}/_heddle COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_BINARY_DIR}/bin/heddle completion fish OUTPUT_FILE \${fish}/heddle.fish COMMAND_ERROR_IS_FATAL ANY)
")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "The Heddle project <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds the order of threads in which a concurrent C or C++ program fails")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, lld-19, llvm-19, g++")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gdb)
include(CPack)
