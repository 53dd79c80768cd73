// One profile document, read and checked by itself: what `extends` chains together.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "host/policy/yaml_document.hpp"

namespace toolhost::policy {

struct Layer {
    std::string name;
    YamlDocument document;  // valid against profile.schema.json, every pattern well-formed
};
using LayerPtr = std::shared_ptr<const Layer>;

// `name` is what the profile is called if the text does not say.
[[nodiscard]] Result<LayerPtr> read_layer(std::string_view text, const std::string& file,
                                          const std::string& name);

// The same for a text of embedded_profiles(), which is valid: a test checks them, so that no start
// has to.
[[nodiscard]] LayerPtr read_shipped_layer(std::string_view text, const std::string& file,
                                          const std::string& name);

}  // namespace toolhost::policy
