// Builds a document from the parser's events.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/policy/text_position.hpp"
#include "host/policy/yaml_document.hpp"

namespace toolhost::policy {

// Thrown through the parser, which cannot be stopped otherwise.
struct Refused {
    Fault fault;
};

// Builds the value in place, so that an alias finds its value by its pointer.
class YamlBuilder : public YAML::EventHandler {
public:
    YamlBuilder(std::string_view text, const std::string& file) : position_(text, file) {
        document_.file = file;
    }

    YamlDocument take() { return std::move(document_); }
    [[nodiscard]] Place place(const YAML::Mark& mark) const {
        return mark.is_null() ? position_.at(0, 0) : position_.at(mark.line, mark.column);
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) refuse(mark, "a second document; only one per file is allowed");
    }
    void OnDocumentEnd() override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        if (wants_key()) refuse(mark, "a key must be text");
        put(mark, anchor, Json());
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override;
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, Json::array());
    }
    void OnSequenceEnd() override { open_.pop_back(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, Json::object());
    }
    void OnMapEnd() override { open_.pop_back(); }

private:
    struct Open {  // a list or an object that has not ended
        Json* value;
        std::string pointer;
        std::optional<std::string> key;  // of the next member
        Place key_place;
    };

    [[noreturn]] void refuse(const YAML::Mark& mark, std::string sentence) {
        throw Refused{
            {place(mark), std::move(sentence), open_.empty() ? "" : open_.back().pointer}};
    }
    [[nodiscard]] bool wants_key() const {
        return !open_.empty() && open_.back().value->is_object() && !open_.back().key;
    }
    void check_tag(const YAML::Mark& mark, const std::string& tag) {
        // The parser reports plain scalars as ? and quoted ones as !.
        if (!tag.empty() && tag != "?" && tag != "!")
            refuse(mark, "tags such as " + in_quotes(tag) + " are not supported; quote text");
    }
    void count(const YAML::Mark& mark, std::size_t nodes) {
        nodes_ += nodes;
        if (nodes_ > kMaxYamlNodes)
            refuse(mark, "more than " + std::to_string(kMaxYamlNodes) + " values");
    }
    void check_depth(const YAML::Mark& mark, std::size_t depth) {
        if (depth > kMaxYamlDepth)
            refuse(mark, "nested deeper than " + std::to_string(kMaxYamlDepth) + " levels");
    }
    void take_key(const YAML::Mark& mark, const std::string& tag, const std::string& text);
    [[nodiscard]] std::string next_pointer() const;
    Json& put(const YAML::Mark& mark, YAML::anchor_t anchor, Json value);
    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json value);

    TextPosition position_;
    YamlDocument document_;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, std::string> anchors_;  // to the pointers of their values
    std::size_t nodes_ = 0;
    int documents_ = 0;
};

}  // namespace toolhost::policy
