// YAML that is checked against one of this room's schemas, and the messages of the errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/policy/place.hpp"
#include "host/policy/yaml_document.hpp"
#include "host/schema/schema.hpp"

namespace toolhost::policy {

[[nodiscard]] Error unreadable(const std::string& file, const std::string& why);

// Reads a whole file, of at most kMaxYamlBytes.
[[nodiscard]] Result<std::string> read_text_file(const std::string& file);

// One of the embedded schemas ("profile.schema.json"), compiled.
[[nodiscard]] const schema::Schema& embedded_schema(std::string_view name);

// All errors, each with its place.
[[nodiscard]] std::vector<Fault> check_yaml(const YamlDocument& document,
                                            const schema::Schema& schema);

// The key, if the issue is a key that the schema does not define; otherwise empty.
[[nodiscard]] std::string unknown_key(const schema::Issue& issue);
// "unknown key 'timeoutMS' in /defaults; did you mean 'timeoutMs'? allowed: ..."
[[nodiscard]] std::string unknown_key_sentence(const std::string& key, const std::string& pointer,
                                               const std::vector<std::string>& allowed);
// The keys that the schema allows instead.
[[nodiscard]] std::vector<std::string> allowed_keys(const schema::Issue& issue);

}  // namespace toolhost::policy
