// toolhost for C++20: typed functions and classes become tools.
//
//     #include <toolhost/plugin.hpp>
//     struct Add {
//         toolhost::Field<double, "first number"> a;
//         toolhost::Field<double, "second number"> b;
//     };
//     double add(const Add& in) { return in.a + in.b; }
//     TOOLHOST_PLUGIN(toolhost::tool<add>("add", "Adds two numbers."))
//
// This header includes the others:
//   field.hpp, rules.hpp, literal.hpp, enum_names.hpp   how parameters are written
//   schema.hpp, read_json.hpp, write_json.hpp           types <-> JSON Schema and JSON
//   defaults.hpp, initializers.hpp                      which parameters may be left out
//   context.hpp, tool_result.hpp, outcome.hpp           what a running tool can do
//   reply.hpp, resource.hpp                             what results become
//   tool.hpp, tool_spec.hpp, library.hpp, export.hpp    making tools and registering them
//   offer.hpp, messages.hpp, uri_template.hpp           resources and prompts beside them
#ifndef TOOLHOST_PLUGIN_HPP
#define TOOLHOST_PLUGIN_HPP

#include "toolhost/context.hpp"
#include "toolhost/enum_names.hpp"
#include "toolhost/export.hpp"
#include "toolhost/field.hpp"
#include "toolhost/library.hpp"
#include "toolhost/literal.hpp"
#include "toolhost/messages.hpp"
#include "toolhost/offer.hpp"
#include "toolhost/outcome.hpp"
#include "toolhost/plugin.h"
#include "toolhost/read_json.hpp"
#include "toolhost/reply.hpp"
#include "toolhost/resource.hpp"
#include "toolhost/rules.hpp"
#include "toolhost/schema.hpp"
#include "toolhost/tool.hpp"
#include "toolhost/tool_result.hpp"
#include "toolhost/uri_template.hpp"
#include "toolhost/write_json.hpp"

#endif  // TOOLHOST_PLUGIN_HPP
