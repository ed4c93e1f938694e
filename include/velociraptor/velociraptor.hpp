// The whole C++ API.
#pragma once
#include <velociraptor/array.hpp>
#include <velociraptor/binding.hpp>
#include <velociraptor/engine.hpp>
#include <velociraptor/ir/builder.hpp>
#include <velociraptor/ir/matlab.hpp>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/types.hpp>
#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>
#include <velociraptor/make_binding.hpp>
#include <velociraptor/native_context.hpp>
#include <velociraptor/pipeline.hpp>
#include <velociraptor/results.hpp>
#include <velociraptor/status.hpp>
#include <velociraptor/typed.hpp>
