// The methods of the protocol: a table, and a function each.
#pragma once

#include <span>

#include "host/serve/request.hpp"

namespace toolhost::serve {

struct Method {
    std::string_view name;
    void (*handle)(const RequestPtr& request);
    bool calls = false;              // a library is called for it, which may take any time
    const char* named_by = nullptr;  // the parameter that the header Mcp-Name repeats; null: none
    bool before_session = false;     // requests have it that belong to no session yet
    Revision since = Revision::r2024_11_05;
    Revision until = kNewest;
};
// Every method. No other file has their names.
[[nodiscard]] std::span<const Method> method_table();
// Null: unknown in this revision.
[[nodiscard]] const Method* find_method(std::string_view name, Revision revision);

// lifecycle.cpp
void initialize(const RequestPtr& request);
void discover(const RequestPtr& request);
void ping(const RequestPtr& request);
void set_log_level(const RequestPtr& request);
// tool_methods.cpp
void list_tools(const RequestPtr& request);
void call_tool(const RequestPtr& request);
// resource_methods.cpp
void list_resources(const RequestPtr& request);
void list_resource_templates(const RequestPtr& request);
void read_resource(const RequestPtr& request);
// prompt_methods.cpp
void list_prompts(const RequestPtr& request);
void get_prompt(const RequestPtr& request);
void complete(const RequestPtr& request);
// subscription_methods.cpp
void subscribe(const RequestPtr& request);
void unsubscribe(const RequestPtr& request);
void listen(const RequestPtr& request);

}  // namespace toolhost::serve
