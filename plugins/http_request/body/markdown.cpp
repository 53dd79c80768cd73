#include "body/markdown.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "body/html_elements.hpp"
#include "body/html_tokens.hpp"
#include "body/markdown_table.hpp"
#include "body/markdown_writer.hpp"
#include "net/url.hpp"

namespace http_tool {
namespace {

// Deeper ones are read, but no longer set in.
constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxSpans = 32;
constexpr std::size_t kMaxLanguage = 30;
// Each stands before every line.
constexpr std::size_t kMaxPrefixes = 8;
constexpr std::size_t kAskEvery = 256;  // tokens

class Converter {
public:
    Converter(const std::string& base, const MarkdownBounds& bounds)
        : bounds_(bounds), out_(bounds.max_bytes) {
        if (auto url = parse_url(base)) base_ = *std::move(url);
    }

    Markdown run(std::string_view html) {
        HtmlTokens tokens(html);
        for (std::size_t count = 1; !out_.is_full(); ++count) {
            const auto token = tokens.next();
            if (!token || (count % kAskEvery == 0 && bounds_.cancelled())) break;
            take(*token);
        }
        if (in_pre_) end_pre();
        while (!spans_.empty()) end_last_span();
        if (table_) end_table();
        const bool cut = out_.is_full();
        return {out_.take(), cut};
    }

private:
    using Kind = HtmlToken::Kind;

    void take(const HtmlToken& token) {
        const Element element = element_of(token.name);
        if (hidden_ > 0) {  // until what opened it ends
            if (token.name == hidden_name_) hidden_ += token.kind == Kind::open ? 1 : -1;
        } else if (token.kind == Kind::text) {
            text(token.text);
        } else if (in_pre_) {
            within_pre(token, element);
        } else if (token.kind == Kind::open) {
            open(token, element);
        } else {
            close(element);
        }
    }

    void text(std::string_view raw) {
        std::string plain = without_entities(raw);
        if (in_pre_) {
            pre_ += plain;
            return;
        }
        // Between rows and cells there is only white space, or what is out of place.
        if (table_ && !table_->in_cell && plain.find_first_not_of(" \t\r\n\f") == std::string::npos)
            return;
        out_.flow(plain);
    }

    // What no heading can have within ends one that nobody ended.
    static bool ends_heading(Does does) {
        return does == Does::heading || does == Does::list || does == Does::quote ||
               does == Does::table || does == Does::pre;
    }

    void open(const HtmlToken& token, const Element& element) {
        if (ends_heading(element.does) && !table_) close_span("heading");
        switch (element.does) {
            case Does::nothing:
                break;
            case Does::block:
                block();
                break;
            case Does::line:
                out_.line();
                break;
            case Does::heading:
                open_heading(element);
                break;
            case Does::list:
                open_list(token);
                break;
            case Does::item:
                open_item();
                break;
            case Does::quote:
                open_quote();
                break;
            case Does::span:
                open_span(element.name, element.markup, "");
                break;
            case Does::link:
                open_link(token);
                break;
            case Does::image:
                image(token);
                break;
            case Does::rule:
                rule();
                break;
            case Does::pre:
                open_pre(token);
                break;
            case Does::table:
                open_table();
                break;
            case Does::row:
                open_row();
                break;
            case Does::cell:
                open_cell();
                break;
            case Does::term:
                out_.line();
                out_.mark(": ");
                break;
            case Does::hidden:
                hidden_ = 1;
                hidden_name_ = token.name;
                break;
        }
    }

    void close(const Element& element) {
        switch (element.does) {
            case Does::block:
                block();
                break;
            case Does::line:
            case Does::term:
                out_.line();
                break;
            case Does::heading:
                close_heading();
                break;
            case Does::list:
            case Does::item:
            case Does::quote:
                close_container(element);
                break;
            case Does::span:
            case Does::link:
                close_span(element.name);
                break;
            case Does::table:
                close_table();
                break;
            case Does::cell:
            case Does::row:
                close_cell();
                break;
            default:
                break;
        }
    }

    // A block ends the emphasis that somebody forgot to end.
    void block() {
        if (!out_.is_inline())
            while (!spans_.empty()) end_last_span();
        out_.block();
    }

    void open_heading(const Element& element) {
        block();
        if (out_.is_inline() || spans_.size() >= kMaxSpans) return;
        out_.begin_span(element.markup);
        spans_.push_back({"heading", "", true});
        out_.begin_inline();
    }

    void close_heading() {
        close_span("heading");
        block();
    }

    struct Container {
        std::string_view name;  // "list", "item", "quote"
        bool numbered = false;
        long number = 1;
        bool has_prefix = false;
    };

    void open_list(const HtmlToken& token) {
        const bool nested = !containers_.empty() && containers_.back().name == "item";
        nested ? out_.line() : block();
        if (containers_.size() >= kMaxDepth) return;
        Container list{"list", token.name == "ol"};
        const std::string start(token.attribute("start").substr(0, 9));
        if (!start.empty() && start.find_first_not_of("0123456789") == std::string::npos)
            list.number = std::stol(start);
        containers_.push_back(list);
    }

    [[nodiscard]] bool may_set_in() const {
        return !out_.is_inline() && out_.prefixes() < kMaxPrefixes;
    }

    void open_item() {
        // The item before ends here, if nobody said so.
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

    void open_quote() {
        block();
        if (containers_.size() >= kMaxDepth) return;
        Container quote{"quote"};
        quote.has_prefix = may_set_in();
        if (quote.has_prefix) out_.begin_prefix("> ", "> ");
        containers_.push_back(quote);
    }

    void end_container() {
        if (containers_.back().has_prefix) out_.end_prefix();
        containers_.pop_back();
    }

    void close_container(const Element& element) {
        const std::string_view name = element.does == Does::list   ? "list"
                                      : element.does == Does::item ? "item"
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

    struct OpenSpan {
        std::string name, close;
        bool is_inline = false;
    };

    void open_span(std::string_view name, std::string_view markup, std::string close) {
        if (spans_.size() >= kMaxSpans) return;
        out_.begin_span(markup);
        spans_.push_back({std::string(name), close.empty() ? std::string(markup) : close});
    }

    void open_link(const HtmlToken& token) {
        if (spans_.size() >= kMaxSpans) return;  // first: to complete a URL takes time
        const std::string to = target(token.attribute("href"));
        if (to.empty()) return;
        open_span("a", "[", "](" + to + ")");
        spans_.back().is_inline = true;
        out_.begin_inline();
    }

    void end_last_span() {
        if (spans_.back().is_inline) out_.end_inline();
        out_.end_span(spans_.back().close);
        spans_.pop_back();
    }

    void close_span(std::string_view name) {
        const bool known = std::any_of(spans_.begin(), spans_.end(),
                                       [&](const auto& one) { return one.name == name; });
        while (known && spans_.back().name != name) end_last_span();
        if (known) end_last_span();
    }

    // Where a link leads; empty for what leads nowhere else.
    std::string target(std::string_view raw) {
        std::string to = without_entities(raw);
        std::erase_if(to, [](char c) { return c == '\n' || c == '\r' || c == '\t'; });
        to.erase(0, to.find_first_not_of(' '));
        if (to.empty() || to[0] == '#' || to.rfind("javascript:", 0) == 0 ||
            to.rfind("data:", 0) == 0)
            return {};
        if (!base_.text.empty() && to.rfind("mailto:", 0) != 0)
            if (auto whole = join_url(base_, to)) to = whole->text;
        for (auto& c : to)
            if (c == ' ') c = '+';
        return to;
    }

    void image(const HtmlToken& token) {
        std::string alt = without_entities(token.attribute("alt"));
        std::replace(alt.begin(), alt.end(), '\n', ' ');
        const std::string from = target(token.attribute("src"));
        if (alt.empty() && from.empty()) return;
        out_.mark("![");
        out_.mark(alt);
        out_.mark(from.empty() ? "]" : "](" + from + ")");
    }

    void rule() {
        block();
        if (!out_.is_inline()) out_.mark("---");
        block();
    }

    static std::string language_of(const HtmlToken& token) {
        const std::string_view classes = token.attribute("class");
        const auto at = classes.find("language-");
        if (at == std::string_view::npos) return {};
        const auto name = classes.substr(at + 9, kMaxLanguage);
        return std::string(name.substr(0, name.find_first_of(" \t\n`")));
    }

    void open_pre(const HtmlToken& token) {
        block();
        in_pre_ = true;
        pre_.clear();
        language_ = language_of(token);
    }

    void within_pre(const HtmlToken& token, const Element& element) {
        if (token.kind == Kind::close && element.does == Does::pre) return end_pre();
        if (element.name == "br") pre_ += '\n';
        if (element.name == "code" && language_.empty()) language_ = language_of(token);
    }

    void end_pre() {
        in_pre_ = false;
        std::string_view code = pre_;
        if (code.substr(0, 1) == "\n") code.remove_prefix(1);
        if (out_.is_inline())
            out_.flow(code);
        else
            out_.fenced(code, language_);
    }

    void open_table() {
        if (table_) {
            ++table_->nested;
            return;
        }
        block();
        if (!out_.is_inline()) table_.emplace();
    }

    void open_row() {
        if (!table_ || table_->nested > 0) return out_.line();
        close_cell();
        if (table_->rows.empty() || !table_->rows.back().empty()) table_->rows.emplace_back();
    }

    void open_cell() {
        if (!table_ || table_->nested > 0) return out_.flow(" ");
        close_cell();
        if (table_->rows.empty()) table_->rows.emplace_back();
        table_->in_cell = true;
        spans_before_cell_ = spans_.size();
        out_.begin_cell();
    }

    void close_cell() {
        if (!table_ || table_->nested > 0 || !table_->in_cell) return;
        while (spans_.size() > spans_before_cell_) end_last_span();
        table_->in_cell = false;
        std::string cell = out_.end_cell();
        add_cell(*table_, std::move(cell));
    }

    void close_table() {
        if (!table_) return;
        if (table_->nested > 0)
            --table_->nested;
        else
            end_table();
    }

    void end_table() {
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

    const MarkdownBounds& bounds_;
    Url base_;
    MarkdownWriter out_;
    std::vector<Container> containers_;
    std::vector<OpenSpan> spans_;
    bool in_pre_ = false;
    std::string pre_, language_;
    std::optional<MarkdownTable> table_;
    std::size_t spans_before_cell_ = 0;
    int hidden_ = 0;
    std::string hidden_name_;
};

}  // namespace

std::string html_to_markdown(std::string_view html, const std::string& base) {
    return html_to_markdown(html, base, {std::string::npos, [] { return false; }}).text;
}

Markdown html_to_markdown(std::string_view html, const std::string& base,
                          const MarkdownBounds& bounds) {
    return Converter(base, bounds).run(html);
}

}  // namespace http_tool
