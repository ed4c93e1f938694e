# Flags of all our targets.
add_compile_options(-Wall -Wextra -Werror=switch $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
if(VR_WERROR)
  add_compile_options(-Werror)
endif()
# No contraction: the interpreter and the host's own loops must round like generated code (docs/vrir.md, "Typing and conversion").
add_compile_options(-ffp-contract=off)
if(VR_SANITIZE)
  add_compile_options(-fsanitize=${VR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${VR_SANITIZE})
endif()
