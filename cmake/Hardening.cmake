# What the linker does against memory errors that are used as doors: position-independent programs, a table of addresses that
# is read-only once all of them are known, no executable stack. tests/package/elf_rules.py reads what came of it. The
# sanitizers see to their own.
if(NOT VR_SANITIZE)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C CXX)
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()
