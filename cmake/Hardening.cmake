# Linker options against the exploitation of memory errors: position-independent programs, a table of addresses that
# is read-only once all of them are known, no executable stack; and what the compiler does: canaries before return addresses,
# checked sizes in the C library's calls (with optimisation only), branch targets that are marked. tests/package/elf_rules.py
# reads what came of it. The sanitizers see to their own.
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
