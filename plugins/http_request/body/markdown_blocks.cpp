// Lists, quotes, code and tables.
#include <algorithm>

#include "body/markdown_converter.hpp"

namespace http_tool {
namespace {

// Deeper ones are converted, but not indented further.
constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxLanguage = 30;
// Each prefix precedes every line.
constexpr std::size_t kMaxPrefixes = 8;

}  // namespace

void MarkdownConverter::open_list(const HtmlToken& token) {
    const bool nested = !containers_.empty() && containers_.back().name == "item";
    nested ? out_.line() : block();
    if (containers_.size() >= kMaxDepth) return;
    Container list{"list", token.name == "ol"};
    const std::string start(token.attribute("start").substr(0, 9));
    if (!start.empty() && start.find_first_not_of("0123456789") == std::string::npos)
        list.number = std::stol(start);
    containers_.push_back(list);
}

bool MarkdownConverter::may_set_in() const {
    return !out_.is_inline() && out_.prefixes() < kMaxPrefixes;
}

void MarkdownConverter::open_item() {
    // The previous item ends here, unless it was closed.
    if (!containers_.empty() && containers_.back().name == "item") end_container();
    out_.line();
    if (containers_.size() >= kMaxDepth) return;
    std::string marker = "- ";
    if (!containers_.empty() && containers_.back().numbered)
        marker = std::to_string(containers_.back().number++) + ". ";
    Container item{"item"};
    item.has_prefix = may_set_in();
    if (item.has_prefix) out_.begin_prefix(marker, std::string(marker.size(), ' '));
    containers_.push_back(item);
}

void MarkdownConverter::open_quote() {
    block();
    if (containers_.size() >= kMaxDepth) return;
    Container quote{"quote"};
    quote.has_prefix = may_set_in();
    if (quote.has_prefix) out_.begin_prefix("> ", "> ");
    containers_.push_back(quote);
}

void MarkdownConverter::end_container() {
    if (containers_.back().has_prefix) out_.end_prefix();
    containers_.pop_back();
}

void MarkdownConverter::close_container(const Element& element) {
    const std::string_view name = element.kind == ElementKind::list   ? "list"
                                  : element.kind == ElementKind::item ? "item"
                                                                      : "quote";
    const bool known = std::any_of(containers_.begin(), containers_.end(),
                                   [&](const auto& one) { return one.name == name; });
    while (known && containers_.back().name != name) end_container();
    if (known) end_container();
    const bool within_item = !containers_.empty() && containers_.back().name == "item";
    if (name == "item" || (name == "list" && within_item))
        out_.line();
    else
        block();
}

void MarkdownConverter::rule() {
    block();
    if (!out_.is_inline()) out_.mark("---");
    block();
}

std::string MarkdownConverter::language_of(const HtmlToken& token) {
    const std::string_view classes = token.attribute("class");
    const auto at = classes.find("language-");
    if (at == std::string_view::npos) return {};
    const auto name = classes.substr(at + 9, kMaxLanguage);
    return std::string(name.substr(0, name.find_first_of(" \t\n`")));
}

void MarkdownConverter::open_pre(const HtmlToken& token) {
    block();
    in_pre_ = true;
    pre_.clear();
    language_ = language_of(token);
}

void MarkdownConverter::within_pre(const HtmlToken& token, const Element& element) {
    if (token.kind == Kind::close && element.kind == ElementKind::pre) return end_pre();
    if (element.name == "br") pre_ += '\n';
    if (element.name == "code" && language_.empty()) language_ = language_of(token);
}

void MarkdownConverter::end_pre() {
    in_pre_ = false;
    std::string_view code = pre_;
    if (code.substr(0, 1) == "\n") code.remove_prefix(1);
    if (out_.is_inline())
        out_.flow(code);
    else
        out_.fenced(code, language_);
}

void MarkdownConverter::open_table() {
    if (table_) {
        ++table_->nested;
        return;
    }
    block();
    if (!out_.is_inline()) table_.emplace();
}

void MarkdownConverter::open_row() {
    if (!table_ || table_->nested > 0) return out_.line();
    close_cell();
    if (table_->rows.empty() || !table_->rows.back().empty()) table_->rows.emplace_back();
}

void MarkdownConverter::open_cell() {
    if (!table_ || table_->nested > 0) return out_.flow(" ");
    close_cell();
    if (table_->rows.empty()) table_->rows.emplace_back();
    table_->in_cell = true;
    spans_before_cell_ = spans_.size();
    out_.begin_cell();
}

void MarkdownConverter::close_cell() {
    if (!table_ || table_->nested > 0 || !table_->in_cell) return;
    while (spans_.size() > spans_before_cell_) end_last_span();
    table_->in_cell = false;
    std::string cell = out_.end_cell();
    add_cell(*table_, std::move(cell));
}

void MarkdownConverter::close_table() {
    if (!table_) return;
    if (table_->nested > 0)
        --table_->nested;
    else
        end_table();
}

void MarkdownConverter::end_table() {
    table_->nested = 0;
    close_cell();
    const std::vector<std::string> lines = lines_of(*table_);
    table_.reset();
    block();
    for (const auto& line : lines) {
        out_.mark(line);
        out_.line();
    }
    block();
}

}  // namespace http_tool
