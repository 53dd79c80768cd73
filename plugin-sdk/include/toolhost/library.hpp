// Library: the tools and offers of one shared library, behind the ABI's four functions. Catches all
// exceptions.
#ifndef TOOLHOST_LIBRARY_HPP
#define TOOLHOST_LIBRARY_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolhost/abi.hpp"
#include "toolhost/offers.hpp"
#include "toolhost/tool.hpp"

namespace toolhost {

// Arguments of TOOLHOST_PLUGIN besides tools.
struct Family {
    std::string name;
};
[[nodiscard]] inline Family family(std::string name) {
    return {std::move(name)};
}

struct Threading {
    std::uint32_t flags;
};
inline constexpr Threading serial{TOOL_SERIAL};          // the default: one call at a time
inline constexpr Threading concurrent{TOOL_CONCURRENT};  // calls may run on several threads

struct OnOpen {
    std::function<void(const tool_host*)> hook;
};
struct OnClose {
    std::function<void()> hook;
};

// Runs before the first call; an exception makes the library unavailable. Takes no argument, or the
// host (const tool_host*), of which only extension() may then be used.
template <class Hook>
[[nodiscard]] OnOpen on_open(Hook hook) {
    if constexpr (std::is_invocable_v<Hook&, const tool_host*>) {
        return {std::move(hook)};
    } else {
        return {[hook = std::move(hook)](const tool_host*) mutable { hook(); }};
    }
}

// Runs after the last call, when the process ends normally.
template <class Hook>
[[nodiscard]] OnClose on_close(Hook hook) {
    return {std::move(hook)};
}

class Library {
public:
    template <class... Parts>
    explicit Library(Parts... parts) {
        static_assert((std::size_t{0} + ... + (is_content<Parts> ? 1U : 0U)) > 0,
                      "a plugin must have at least one tool, resource or prompt");
        (add(std::move(parts)), ...);
        const bool one_tool = tools_.size() == 1 && family_.empty() && offers_.empty();
        nlohmann::json spec = one_tool ? tools_.front().spec() : family_spec();
        if (!offers_.empty()) hidden_ = offers_.hidden_tools();
        json_ = ordered_text(spec, one_tool);
        info_ = {sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, flags_, 0,
                 detail::borrow(json_)};
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    [[nodiscard]] const tool_spec_info* spec() const noexcept { return &info_; }

    // May throw; export.hpp catches and prints it.
    void open(const tool_host* host) const {
        for (const OnOpen& opening : on_open_) opening.hook(host);
    }

    // In the reverse order of opening: the author's hooks can still use the objects of their
    // classes.
    void close() const {
        for (const OnClose& closing : on_close_) closing.hook();
        for (const Tool& tool : tools_) tool.close();
    }

    // Finds a tool by name; a library with one tool needs no name. Null if not found.
    [[nodiscard]] const Tool* find(std::string_view name) const {
        if (name.empty() && tools_.size() == 1) return &tools_.front();
        for (const Tool& tool : tools_) {
            if (tool.name() == name) return &tool;
        }
        for (const Tool& tool : hidden_) {
            if (tool.name() == name) return &tool;
        }
        return nullptr;
    }

private:
    template <class Part>
    static constexpr bool is_content =
        std::is_same_v<Part, Tool> || std::is_same_v<Part, ResourceOffer> ||
        std::is_same_v<Part, PromptOffer>;

    void add(Tool tool) {
        if (find(tool.name())) throw std::logic_error("duplicate tool " + tool.name());
        tools_.push_back(std::move(tool));
    }
    void add(ResourceOffer offer) { offers_.add(std::move(offer)); }
    void add(PromptOffer offer) { offers_.add(std::move(offer)); }
    void add(const OfferTerms& terms) { offers_.add(terms); }
    void add(Family family) { family_ = std::move(family.name); }
    void add(Threading threading) { flags_ = threading.flags; }
    void add(OnOpen opening) { on_open_.push_back(std::move(opening)); }
    void add(OnClose closing) { on_close_.push_back(std::move(closing)); }

    [[nodiscard]] nlohmann::json family_spec() const {
        nlohmann::json spec = nlohmann::json::object();
        if (!family_.empty()) spec["family"] = family_;
        offers_.describe(spec);
        spec["tools"] = nlohmann::json::array();
        for (const Tool& tool : tools_) spec["tools"].push_back(tool.spec());
        return spec;
    }

    // The spec as text, with the fields of each input in their author's order.
    [[nodiscard]] std::string ordered_text(const nlohmann::json& spec, bool one_tool) const {
        nlohmann::ordered_json text = spec;
        for (std::size_t i = 0; i < tools_.size(); ++i) {
            auto& tool = one_tool ? text : text["tools"][i];
            if (!tool.contains("inputSchema") || !tool["inputSchema"].is_object()) continue;
            const auto properties = tool["inputSchema"].find("properties");
            if (properties == tool["inputSchema"].end() || !properties->is_object()) continue;
            auto ordered = nlohmann::ordered_json::object();
            for (const auto& name : tools_[i].field_order())
                if (properties->contains(name)) ordered[name] = (*properties)[name];
            for (const auto& [name, schema] : properties->items())
                if (!ordered.contains(name)) ordered[name] = schema;
            *properties = std::move(ordered);
        }
        return text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }

    std::vector<Tool> tools_;
    detail::Offers offers_;
    std::vector<Tool> hidden_;  // serve the offers
    std::vector<OnOpen> on_open_;
    std::vector<OnClose> on_close_;
    std::string family_;
    std::uint32_t flags_ = TOOL_SERIAL;
    std::string json_;
    tool_spec_info info_{};
};

}  // namespace toolhost

#endif  // TOOLHOST_LIBRARY_HPP
