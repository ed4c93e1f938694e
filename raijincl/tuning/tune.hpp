// The commands of raijincl-tune.
#pragma once
#include <string>

#include "core/impl.hpp"

namespace raijincl {

int probe(Context::Impl&, cl_command_queue, const std::string& file, double seconds);

}  // namespace raijincl
