# Linker options that make memory errors harder to exploit: position-independent programs, relocations that are
# read-only after start-up, no executable stack. Compiler options: stack canaries, checked sizes in calls of the C
# library (only with optimisation), marked branch targets. tests/package/elf_rules.py checks the results. Not used with
# sanitizers, which have their own checks.
if(NOT VR_SANITIZE)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C CXX)
  add_compile_options(-fstack-protector-strong)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-fcf-protection=full)
  endif()
  add_compile_definitions($<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:_FORTIFY_SOURCE=2>)
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()
