// One profile document, read and checked on its own; `extends` chains them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "host/policy/yaml_document.hpp"

namespace toolhost::policy {

struct Layer {
    std::string name;
    YamlDocument document;  // valid against profile.schema.json, with valid patterns
};
using LayerPtr = std::shared_ptr<const Layer>;

// `name` is the profile's name if the text has none.
[[nodiscard]] Result<LayerPtr> read_layer(std::string_view text, const std::string& file,
                                          const std::string& name);

// The same for a text of embedded_profiles(). It is not checked, because a test does.
[[nodiscard]] LayerPtr read_shipped_layer(std::string_view text, const std::string& file,
                                          const std::string& name);

}  // namespace toolhost::policy
