// Checks the layout in C++, and that the header needs no other header before it.
#include <toolhost/plugin.h>

#include <type_traits>

#include "layout.h"

static_assert(std::is_standard_layout_v<tool_host> && std::is_trivial_v<tool_host>);
static_assert(std::is_standard_layout_v<tool_request> && std::is_trivial_v<tool_request>);
static_assert(std::is_standard_layout_v<tool_spec_info> && std::is_trivial_v<tool_spec_info>);
