#!/usr/bin/env python3
"""libvelociraptor.so may export its own API and nothing of LLVM, ANTLR or any other library.

    exported_symbols.py NM LIBRARY   prints every other symbol; exit status 1 if there is any (or no API at all)
    exported_symbols.py --self-test  tests the rule with own and foreign symbols
"""
import re
import subprocess
import sys

# vr::..., the C functions vr_..., and the compiler's symbols for classes of vr.
OURS = re.compile(r"^(vr_\w+|(typeinfo( name)? for |vtable for |VTT for |guard variable for )?vr::.*|.*\bvr::[^<>()]*\(.*)$")
STRANGERS = re.compile(r"llvm::|antlr4|LLVM|_ZN4llvm")


def is_ours(name):
    before_arguments = re.sub(r"\(.*", "", re.sub(r"\[abi:\w+\]", "", name))
    return bool(OURS.match(name)) and not STRANGERS.search(before_arguments) and not before_arguments.startswith("std::")


def exported(nm, library):
    # The linker leaves some local symbols in the table, which other libraries cannot see.
    text = subprocess.run([nm, "-D", "--defined-only", "--extern-only", "-C", library], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        fields = line.split(maxsplit=2)
        if len(fields) == 3 and fields[1] != "A":  # A: version nodes
            yield re.sub(r"@+\S+$", "", fields[2])


def self_test():
    friends = ["vr_rt_alloc", "vr::Engine::create(vr::Options const&)", "typeinfo for vr::ir::Node",
               "vr::Result<vr::Array> vr::Array::zeros(int)"]
    strangers = ["llvm::Module::getFunction(llvm::StringRef)", "antlr4::Parser::consume()", "LLVMContextCreate",
                 "std::vector<vr::Value>::push_back(vr::Value&&)", "main", "vtable for antlr4::Lexer",
                 "void llvm::verify(vr::ir::Module const&)"]
    bad = [f for f in friends if not is_ours(f)] + [s for s in strangers if is_ours(s)]
    print("\n".join(bad) or "friends and strangers are told apart")
    return not bad


def main(args):
    if args == ["--self-test"]:
        return 0 if self_test() else 1
    if len(args) != 2:
        print(__doc__)
        return 2
    names = list(exported(*args))
    strangers = [n for n in names if not is_ours(n)]
    for n in strangers:
        print(f"exported but not ours: {n}")
    if not any(n.startswith("vr::Engine::") for n in names):
        print("the C++ API is not exported at all")
        return 1
    print(f"{len(names)} symbols, {len(strangers)} strangers")
    return 1 if strangers else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
