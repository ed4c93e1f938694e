#include "codegen/opencl/kernel_names.hpp"

namespace vr::codegen::opencl {

using namespace lower;

KernelNames name_kernel(const Function& f, Names& globals) {
  KernelNames n;
  n.body = globals.unique(f.name + "_body");
  if (!f.folds.empty()) n.join = globals.unique(f.name + "_join");
  n.taken.unique(n.body);  // a variable of that name would hide the function
  if (!n.join.empty()) n.taken.unique(n.join);
  n.error = n.taken.unique("error");
  for (const Var& v : f.vars) {
    n.variables.push_back(n.taken.unique(v.name));
    // Integers are 64 bits wide in expressions; for a product of two widened 32-bit integers devices have one instruction.
    n.reads.push_back(f.narrow.count(VarId(n.variables.size()) - 1) ? "(long)" + n.variables.back()
                                                                    : n.variables.back());
  }
  if (f.team) {
    RowNames& r = n.rows;
    for (auto [name, text] : {std::pair{&r.member, "member"}, {&r.lane, "lane"}, {&r.stores, "stores"}, {&r.inside, "inside"},
                              {&r.memory, "rows"}, {&r.first, "first"}, {&r.from, "from"}, {&r.count, "count"}, {&r.turn, "turn"}, {&r.end, "end"}})
      *name = n.taken.unique(text);
    for (const Row& row : f.rows) {
      const std::string& data = n.variables[static_cast<size_t>(row.data)];
      r.of.push_back({n.taken.unique(data + "_base"), n.taken.unique(data + "_start"), n.taken.unique(data + "_step"),
                      n.taken.unique(data + "_pending")});
    }
  }
  if (!f.team)
    for (const Row& row : f.rows)
      n.copies.push_back(n.taken.unique(n.variables[static_cast<size_t>(row.data)] + "_memory"));
  for (const Shared& s : f.shared)
    n.shared.push_back(n.taken.unique(n.variables[static_cast<size_t>(s.data)] + "_memory"));
  for (const Param& p : f.params) {
    if (p.array == none) continue;
    const std::string data = n.variables[f.arrays[p.array].data];
    n.buffers[p.array] = {n.taken.unique(data + "_buffer"), n.taken.unique(data + "_offset")};
  }
  for (const Lane& lane : f.lanes) {
    const std::string data = n.variables[f.arrays[lane.array].data];
    n.lanes[&lane] = {n.taken.unique(data + "_lane"), n.taken.unique(data + "_new")};
  }
  for (const Fold& fold : f.folds) n.joined[fold.var] = n.taken.unique(n.variables[fold.var] + "_so_far");
  for (VarId d : f.dims) n.counts.push_back(n.taken.unique(n.variables[d] + "_count"));
  return n;
}

}  // namespace vr::codegen::opencl
