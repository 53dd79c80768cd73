// Resources and prompts that a library offers beside tools, for TOOLHOST_PLUGIN:
//
//   resource("notes://today", "today").mime_type("text/plain").read([] { return today(); })
//   resource_template("notes://{day}", "a day's notes")
//       .read([](const ResourceUri& asked) { return notes_of(asked["day"]); })
//       .complete("day", {"monday", "tuesday"})
//   prompt("review", "Reviews a file.").argument("file", "the file to review", true)
//       .get([](const Review& in) { return "Review " + in.file; })
//   offers().needs({.network = true})      applies to all of them
//
// Like a tool's function, these may take a Context&.
#ifndef TOOLHOST_OFFER_HPP
#define TOOLHOST_OFFER_HPP

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolhost/messages.hpp"
#include "toolhost/tool.hpp"
#include "toolhost/uri_template.hpp"

namespace toolhost {

// The partial value of an argument that is being typed.
struct Completing {
    std::string value;
    std::map<std::string, std::string> arguments = {};  // other arguments that already have a value
};

// Common to resources and prompts.
template <class Derived>
class Offer {
public:
    using Complete = std::function<std::vector<std::string>(Context&, const Completing&)>;

    explicit Offer(nlohmann::json entry) : entry_(std::move(entry)) {}

    // For display to users.
    Derived& title(std::string title) { return set("title", std::move(title)); }
    Derived& description(std::string text) { return set("description", std::move(text)); }
    // Any other key of MCP, such as "annotations".
    Derived& set(const std::string& key, nlohmann::json value) {
        entry_[key] = std::move(value);
        return self();
    }

    // Completes an argument or a template's variable: a function of Completing that returns the
    // values, or a list of all values, which is filtered by the typed prefix.
    template <class Function>
    Derived& complete(const std::string& argument, Function function) {
        using Arguments = typename detail::Signature<Function>::Arguments;
        complete_[argument] = [function = std::move(function)](Context& context,
                                                               const Completing& so_far) mutable {
            Completing input = so_far;
            return std::vector<std::string>(
                detail::call_in_order<Arguments>(function, context, input));
        };
        return self();
    }
    Derived& complete(const std::string& argument, std::vector<std::string> values) {
        complete_[argument] = [values = std::move(values)](Context&, const Completing& so_far) {
            std::vector<std::string> fitting;
            for (const auto& value : values)
                if (value.starts_with(so_far.value)) fitting.push_back(value);
            return fitting;
        };
        return self();
    }
    Derived& complete(const std::string& argument, std::initializer_list<std::string> values) {
        return complete(argument, std::vector<std::string>(values));
    }

    // The entry in the spec.
    [[nodiscard]] const nlohmann::json& entry() const noexcept { return entry_; }
    [[nodiscard]] std::vector<std::string> completions(Context& context,
                                                       const std::string& argument,
                                                       const Completing& so_far) const {
        const auto it = complete_.find(argument);
        return it == complete_.end() ? std::vector<std::string>() : it->second(context, so_far);
    }

protected:
    Derived& self() { return static_cast<Derived&>(*this); }

private:
    nlohmann::json entry_;
    std::map<std::string, Complete> complete_;
};

class ResourceOffer : public Offer<ResourceOffer> {
public:
    ResourceOffer(const char* key, std::string uri, std::string name)
        : Offer({{key, uri}, {"name", std::move(name)}}), uri_(std::move(uri)), key_(key) {}

    ResourceOffer& mime_type(std::string type) { return set("mimeType", std::move(type)); }

    // A function of the uri (std::string or ResourceUri), or without arguments, that returns a
    // text, a Resource or several. If the resource does not exist, throw ToolError("not_found",
    // ...).
    template <class Function>
    ResourceOffer& read(Function function) {
        using Sig = detail::Signature<Function>;
        using Input = typename detail::InputOf<typename Sig::Arguments>::Type;
        read_ = [function = std::move(function)](Context& context, const ResourceUri& asked,
                                                 const std::string& mime_type) mutable {
            Input input = input_of<Input>(asked);
            return resources_of(
                detail::call_in_order<typename Sig::Arguments>(function, context, input), asked.uri,
                mime_type);
        };
        return self();
    }

    [[nodiscard]] bool is_template() const { return key_ == "uriTemplate"; }
    [[nodiscard]] const std::string& uri() const noexcept { return uri_; }
    [[nodiscard]] std::optional<ResourceUri> match(const std::string& uri) const {
        if (is_template()) return detail::match_template(uri, uri_);
        return uri == uri_ ? std::optional(ResourceUri{uri}) : std::nullopt;
    }
    [[nodiscard]] Reply run(Context& context, const ResourceUri& asked) const {
        if (!read_) throw ToolError("not_found", "no handler for resource " + uri_);
        Reply reply;
        for (const auto& one : read_(context, asked, entry().value("mimeType", "")))
            reply.resource(one);
        return reply;
    }

private:
    template <class Input>
    static Input input_of(const ResourceUri& asked) {
        if constexpr (std::same_as<Input, detail::NoInput>) {
            return {};
        } else if constexpr (std::same_as<Input, ResourceUri>) {
            return asked;
        } else {
            static_assert(std::same_as<Input, std::string>,
                          "a resource is read by its uri: std::string or ResourceUri");
            return asked.uri;
        }
    }
    template <class Result>
    static std::vector<Resource> resources_of(Result&& result, const std::string& uri,
                                              const std::string& mime_type) {
        using Value = std::remove_cvref_t<Result>;
        if constexpr (std::same_as<Value, Resource>) {
            return {std::forward<Result>(result)};
        } else if constexpr (std::same_as<Value, std::vector<Resource>>) {
            return std::forward<Result>(result);
        } else {
            return {Resource::text(uri, std::string(std::forward<Result>(result)), mime_type)};
        }
    }

    std::string uri_;
    std::string key_;
    std::function<std::vector<Resource>(Context&, const ResourceUri&, const std::string&)> read_;
};

[[nodiscard]] inline ResourceOffer resource(std::string uri, std::string name) {
    return {"uri", std::move(uri), std::move(name)};
}
[[nodiscard]] inline ResourceOffer resource_template(std::string uri, std::string name) {
    return {"uriTemplate", std::move(uri), std::move(name)};
}

class PromptOffer : public Offer<PromptOffer> {
public:
    PromptOffer(std::string name, std::string description)
        : Offer({{"name", std::move(name)}, {"description", std::move(description)}}) {}

    [[nodiscard]] std::string name() const { return entry().value("name", ""); }

    PromptOffer& argument(std::string name, std::string description = {}, bool required = false) {
        nlohmann::json all = entry().value("arguments", nlohmann::json::array());
        nlohmann::json one{{"name", std::move(name)}};
        if (!description.empty()) one["description"] = std::move(description);
        if (required) one["required"] = true;
        all.push_back(std::move(one));
        return set("arguments", std::move(all));
    }

    // A function of the arguments (a struct, a map or nlohmann::json), or without arguments, that
    // returns the user's message as a text, or Messages.
    template <class Function>
    PromptOffer& get(Function function) {
        using Sig = detail::Signature<Function>;
        using Input = typename detail::InputOf<typename Sig::Arguments>::Type;
        get_ = [function = std::move(function)](Context& context,
                                                const nlohmann::json& arguments) mutable {
            Input input = [&]() -> Input {
                if constexpr (std::same_as<Input, detail::NoInput>) {
                    return {};
                } else {
                    return detail::read_input<Input>(arguments);
                }
            }();
            return messages_of(
                detail::call_in_order<typename Sig::Arguments>(function, context, input));
        };
        return *this;
    }

    [[nodiscard]] Reply run(Context& context, const nlohmann::json& arguments) const {
        if (!get_) throw ToolError("not_found", "no handler for prompt " + name());
        return Reply().json(nlohmann::json{{"description", entry().value("description", "")},
                                           {"messages", get_(context, arguments).json()}});
    }

private:
    template <class Result>
    static Messages messages_of(Result&& result) {
        if constexpr (std::same_as<std::remove_cvref_t<Result>, Messages>) {
            return std::forward<Result>(result);
        } else {
            return Messages().user(std::string(std::forward<Result>(result)));
        }
    }

    std::function<Messages(Context&, const nlohmann::json&)> get_;
};

[[nodiscard]] inline PromptOffer prompt(std::string name, std::string description) {
    return {std::move(name), std::move(description)};
}

// Properties of all resources and prompts of a library, like those of a tool's spec: needs,
// timeout, requirements, version, policy.
class OfferTerms : public ToolSpec<OfferTerms> {
public:
    OfferTerms() : ToolSpec(nlohmann::json::object()) {}
};
[[nodiscard]] inline OfferTerms offers() {
    return {};
}

}  // namespace toolhost

#endif  // TOOLHOST_OFFER_HPP
