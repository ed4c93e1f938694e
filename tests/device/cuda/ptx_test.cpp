// Text in, text out: what NVIDIA's OpenCL compiler writes, as CUDA takes it.
#include "runtime/device/cuda/ptx.hpp"
#include "runtime/device/device.hpp"

#include <gtest/gtest.h>

namespace vr::device::cuda {
namespace {

const std::string head = ".version 9.0\n.target sm_90, texmode_independent\n.address_size 64\n";

std::string body(const std::string& text) {
  const std::string all = rewrite(head + text);
  const std::string before = std::string(rewritten_mark) + head;
  EXPECT_EQ(all.substr(0, before.size()), before);
  return all.substr(before.size());
}

std::string refusal(const std::string& text) {
  try {
    rewrite(text);
  } catch (const BuildRefused& r) {
    return r.message;
  }
  return "it was taken";
}
std::string refusal_of(const std::string& text) { return refusal(head + text); }

TEST(Ptx, RegistersOfTheEnvironmentBecomeElementsOfAParameter) {
  EXPECT_EQ(body("\t// .globl\tk\n"
                 ".entry k(\n"
                 "\t.param .u64 .ptr .global .align 1 k_param_0,\n"
                 "\t.param .u32 k_param_1\n"
                 ")\n"
                 ".reqntid 64, 1, 1\n"
                 "{\n"
                 "\t.reg .b32 \t%r<4>;\n"
                 "\tld.param.u32 \t%r9, [k_param_1];\n"
                 "\tmov.b32 \t%r1, %envreg3;\n"
                 "@%p1\tmov.b32 \t%r2, %envreg6;\n"
                 "\tmov.u32 \t%r3, %envreg9;\n"
                 "\tmov.u32 \t%r4, %ctaid.x;\n"
                 "\tret;\n"
                 "\n"
                 "}\n"),
            "\t// .globl\tk\n"
            ".entry k(\n"
            "\t.param .u64 .ptr .global .align 1 k_param_0,\n"
            "\t.param .u32 k_param_1,\n"
            "\t.param .align 4 .b8 k_vr_environment[40]\n"
            ")\n"
            ".reqntid 64, 1, 1\n"
            "{\n"
            "\t.reg .b32 \t%r<4>;\n"
            "\tld.param.u32 \t%r9, [k_param_1];\n"
            "\tld.param.u32 \t%r1, [k_vr_environment+12];\n"
            "@%p1\tld.param.u32 \t%r2, [k_vr_environment+24];\n"
            "\tld.param.u32 \t%r3, [k_vr_environment+36];\n"
            "\tmov.u32 \t%r4, %ctaid.x;\n"
            "\tret;\n"
            "\n"
            "}\n");
}

TEST(Ptx, EachKernelHasItsOwnParameter) {
  const std::string two = body(
      ".entry a(\n\t.param .f64 a_param_0\n)\n{\n\tmov.b32 \t%r1, %envreg0;\n}\n"
      ".visible .entry b()\n{\n\tmov.b32 \t%r1, %envreg8;\n}\n");
  EXPECT_NE(two.find("\t.param .f64 a_param_0,\n\t.param .align 4 .b8 a_vr_environment[40]\n)\n"), std::string::npos);
  EXPECT_NE(two.find(".visible .entry b(\n\t.param .align 4 .b8 b_vr_environment[40]\n)\n"), std::string::npos) << two;
  EXPECT_NE(two.find("\tld.param.u32 \t%r1, [a_vr_environment+0];\n"), std::string::npos);
  EXPECT_NE(two.find("\tld.param.u32 \t%r1, [b_vr_environment+32];\n"), std::string::npos);
}

TEST(Ptx, TheRestStaysAsItIs) {
  const std::string rest =
      ".const .align 4 .b8 table[16] = {0, 0, 128, 63};\n"
      ".metadata_section {\n\n.metadata 0 {\n\t\"cl_kernel_attributes\",\n}\n\n} // end of .metadata_section\n"
      "// %envreg3 in a comment\n"
      ".func f()\n{\n\tret;\n}\n";
  EXPECT_EQ(body(rest), rest);
}

TEST(Ptx, NulsAndBlanksAtTheEndAreDropped) {
  EXPECT_EQ(rewrite(head + ".entry k()\n{\n}\n\n" + std::string(2, '\0')), rewrite(head + ".entry k()\n{\n}"));
}

TEST(Ptx, ParametersAreReadBack) {
  const auto found = entries(rewrite(head + ".entry k(\n"
                                            "\t.param .u64 .ptr .global .align 8 k_param_0,\n"
                                            "\t.param .u8 k_param_1,\n"
                                            "\t.param .s16 k_param_2,\n"
                                            "\t.param .f32 k_param_3,\n"
                                            "\t.param .b64 k_param_4,\n"
                                            "\t.param .align 16 .b32 k_param_5[4],\n"
                                            "\t.param .u64 k_param_6\n"
                                            ")\n{\n\tret;\n}\n"
                                            ".entry none()\n{\n\tret;\n}\n"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "k");
  std::vector<size_t> bytes;
  std::string pointers;
  for (const Parameter& p : found[0].parameters) {
    bytes.push_back(p.bytes);
    pointers += p.pointer ? '*' : '-';
  }
  EXPECT_EQ(bytes, (std::vector<size_t>{8, 1, 2, 4, 8, 16, 8}));
  EXPECT_EQ(pointers, "*------");
  EXPECT_EQ(found[1].name, "none");
  EXPECT_TRUE(found[1].parameters.empty());
}

TEST(Ptx, OnlyRewrittenTextHasEntries) {
  EXPECT_TRUE(entries(head + ".entry k()\n{\n}\n").empty());
  EXPECT_TRUE(entries("").empty());
}

TEST(Ptx, WhatCudaHasNotIsRefused) {
  EXPECT_NE(refusal_of(".entry k(\n\t.param .u64 .ptr .shared .align 4 k_param_0\n)\n{\n}\n")
                .find("kernel 'k' has local or constant memory as a parameter"),
            std::string::npos);
  EXPECT_NE(refusal_of(".entry k(\n\t.param .u64 .ptr .const .align 4 k_param_0\n)\n{\n}\n").find("constant memory"),
            std::string::npos);
  for (const char* type : {".texref", ".samplerref", ".surfref"})
    EXPECT_NE(
        refusal_of(".entry k(\n\t.param " + std::string(type) + " k_param_0\n)\n{\n}\n").find("an image or a sampler"),
        std::string::npos)
        << type;
}

TEST(Ptx, WhatIsUnknownIsRefused) {
  const auto in_kernel = [](const std::string& line) {
    return refusal_of(".entry k(\n\t.param .u32 k_param_0\n)\n{\n" + line + "\n}\n");
  };
  EXPECT_NE(in_kernel("\tmov.b32 \t%r1, %envreg10;").find("%envreg10 is not known"), std::string::npos);
  EXPECT_NE(in_kernel("\tmov.b32 \t%r1, %envregs;").find("no number"), std::string::npos);
  EXPECT_NE(in_kernel("\tadd.s32 \t%r1, %r2, %envreg3;").find("an instruction that was not expected: add.s32"),
            std::string::npos);
  EXPECT_NE(in_kernel("\tmov.b64 \t%rd1, %envreg3;").find("not expected"), std::string::npos);
  EXPECT_NE(in_kernel("\tmov.b32 \t%r1, %envreg3; ret;").find("not expected"), std::string::npos);
  EXPECT_NE(
      refusal_of(".entry k()\n{\n}\n.func f()\n{\n\tmov.b32 \t%r1, %envreg3;\n}\n").find("no kernel uses %envreg"),
      std::string::npos);
  EXPECT_NE(refusal_of(".entry k(\n\t.param .u7 k_param_0\n)\n{\n}\n").find("a parameter of kernel 'k'"),
            std::string::npos);
  EXPECT_NE(refusal_of(".entry k(\n\t.param .u32 a, .param .u32 b\n)\n{\n}\n").find("in one line"), std::string::npos);
  EXPECT_NE(refusal_of(".entry k(\n\t.param .u32 a\n").find("ends within"), std::string::npos);
  EXPECT_NE(refusal("\x7f"
                    "ELF")
                .find("no PTX text"),
            std::string::npos);
  EXPECT_NE(refusal("").find("no PTX text"), std::string::npos);
  EXPECT_NE(refusal(head + std::string("x\0y", 3)).find("no PTX text"), std::string::npos);
}

}  // namespace
}  // namespace vr::device::cuda
