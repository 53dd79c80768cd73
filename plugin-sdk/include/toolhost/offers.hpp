// Offers: the resources and prompts of one library, and the hidden tools that serve them under the
// reserved names of plugin.h.
#ifndef TOOLHOST_OFFERS_HPP
#define TOOLHOST_OFFERS_HPP

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "toolhost/offer.hpp"

namespace toolhost::detail {

class Offers {
public:
    void add(ResourceOffer offer) {
        for (const auto& other : resources_)
            if (other.uri() == offer.uri())
                throw std::logic_error("duplicate resource " + offer.uri());
        resources_.push_back(std::move(offer));
    }
    void add(PromptOffer offer) {
        if (find_prompt(offer.name())) throw std::logic_error("duplicate prompt " + offer.name());
        prompts_.push_back(std::move(offer));
    }
    void add(const OfferTerms& terms) { terms_ = terms.spec(); }

    [[nodiscard]] bool empty() const { return resources_.empty() && prompts_.empty(); }

    void describe(nlohmann::json& spec) const {
        spec.update(terms_);
        for (const auto& offer : resources_)
            spec[offer.is_template() ? "resourceTemplates" : "resources"].push_back(offer.entry());
        for (const auto& offer : prompts_) spec["prompts"].push_back(offer.entry());
    }

    // They refer to this object, which must not move.
    [[nodiscard]] std::vector<Tool> hidden_tools() const {
        std::vector<Tool> tools;
        const auto serve = [&](const char* name,
                               Reply (Offers::*answer)(Context&, const Json&) const) {
            tools.emplace_back(Json{{"name", name}},
                               [this, answer](Context& context, const Json& input) {
                                   return (this->*answer)(context, input);
                               });
        };
        serve(TOOL_RESOURCES_READ, &Offers::read);
        serve(TOOL_PROMPTS_GET, &Offers::get);
        serve(TOOL_COMPLETION_COMPLETE, &Offers::complete);
        return tools;
    }

private:
    using Json = nlohmann::json;

    [[nodiscard]] const PromptOffer* find_prompt(const std::string& name) const {
        for (const auto& prompt : prompts_)
            if (prompt.name() == name) return &prompt;
        return nullptr;
    }

    [[nodiscard]] Reply read(Context& context, const Json& input) const {
        const auto uri = input.at("uri").get<std::string>();
        for (const bool templates : {false, true})
            for (const auto& offer : resources_)
                if (offer.is_template() == templates)
                    if (const auto asked = offer.match(uri)) return offer.run(context, *asked);
        throw ToolError("not_found", "no resource " + uri);
    }

    [[nodiscard]] Reply get(Context& context, const Json& input) const {
        const auto name = input.at("name").get<std::string>();
        if (const auto* prompt = find_prompt(name))
            return prompt->run(context, input.value("arguments", Json::object()));
        throw ToolError("not_found", "no prompt " + name);
    }

    [[nodiscard]] Reply complete(Context& context, const Json& input) const {
        const Json ref = input.at("ref"), argument = input.at("argument");
        const auto name = argument.at("name").get<std::string>();
        Completing so_far{argument.at("value").get<std::string>()};
        if (const auto around = input.find("context"); around != input.end())
            so_far.arguments = around->value("arguments", so_far.arguments);
        std::vector<std::string> values;
        if (ref.value("type", "") == "ref/prompt") {
            if (const auto* prompt = find_prompt(ref.value("name", "")))
                values = prompt->completions(context, name, so_far);
        } else {
            for (const auto& offer : resources_)
                if (offer.is_template() && offer.uri() == ref.value("uri", ""))
                    values = offer.completions(context, name, so_far);
        }
        return Reply().json(Json{{"values", std::move(values)}});
    }

    std::vector<ResourceOffer> resources_;
    std::vector<PromptOffer> prompts_;
    Json terms_ = Json::object();
};

}  // namespace toolhost::detail

#endif  // TOOLHOST_OFFERS_HPP
