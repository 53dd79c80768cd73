// The methods of the protocol: a table, and a function each.
#pragma once

#include "host/serve/exchange.hpp"

namespace toolhost::serve {

struct Method {
    std::string_view name;
    void (*handle)(const ExchangePtr& exchange);
    bool calls = false;  // a library is called for it, which may take any time
    Revision since = Revision::r2024_11_05;
    Revision until = kNewest;
};
// Null: there is none of this name in this revision.
[[nodiscard]] const Method* find_method(std::string_view name, Revision revision);

// lifecycle.cpp
void initialize(const ExchangePtr& exchange);
void discover(const ExchangePtr& exchange);
void ping(const ExchangePtr& exchange);
void set_log_level(const ExchangePtr& exchange);
// tool_methods.cpp
void list_tools(const ExchangePtr& exchange);
void call_tool(const ExchangePtr& exchange);
// resource_methods.cpp
void list_resources(const ExchangePtr& exchange);
void list_resource_templates(const ExchangePtr& exchange);
void read_resource(const ExchangePtr& exchange);
// prompt_methods.cpp
void list_prompts(const ExchangePtr& exchange);
void get_prompt(const ExchangePtr& exchange);
void complete(const ExchangePtr& exchange);
// subscription_methods.cpp
void subscribe(const ExchangePtr& exchange);
void unsubscribe(const ExchangePtr& exchange);
void listen(const ExchangePtr& exchange);

}  // namespace toolhost::serve
