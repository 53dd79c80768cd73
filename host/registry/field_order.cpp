#include "host/registry/field_order.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

namespace toolhost::registry {
namespace {

constexpr std::size_t kMaxNames = 512, kLongestName = 256;
// Schemas in the order in which they contribute fields.
constexpr std::string_view kSchemas[] = {"inputSchema", "outputSchema", "policySchema"};

// Tracks the path of keys while the parser runs. nlohmann's ordered_json searches an object from
// its start for each key, which a hostile spec could make very slow.
class Collector : public nlohmann::json_sax<nlohmann::json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

    bool start_object(std::size_t) override { return enter(false); }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter(true); }
    bool end_array() override { return leave(); }

    bool key(string_t& name) override {
        auto& open = open_.back();
        open.key = name;
        if (open.names_fields) add(name);
        return true;
    }

    std::vector<FieldOrder> take() {
        std::vector<FieldOrder> out(tools_.empty() ? 0 : tools_.rbegin()->first + 1);
        for (auto& [tool, schemas] : tools_) {
            std::set<std::string_view> seen;
            for (auto& names : schemas)
                for (auto& name : names)
                    if (out[tool].size() < kMaxNames && seen.insert(name).second)
                        out[tool].push_back(name);
        }
        return out;
    }

private:
    struct Open {
        bool array = false;
        bool names_fields = false;  // the value of "properties" within a schema
        std::string key;            // the object's current key
        std::size_t items = 0;      // objects and arrays begun so far
    };

    bool enter(bool array) {
        Open next;
        next.array = array;
        if (!open_.empty()) {
            const auto& parent = open_.back();
            if (schema_ == npos && is_tool(open_.size() - 1)) begin_schema(parent.key);
            next.names_fields = schema_ != npos && !array && !parent.array &&
                                !parent.names_fields && parent.key == "properties";
            ++open_.back().items;
        }
        open_.push_back(std::move(next));
        return true;
    }

    bool leave() {
        open_.pop_back();
        if (schema_ != npos && open_.size() == schema_depth_) schema_ = npos;
        return true;
    }

    // Whether the open object at this depth is a tool: the spec itself, or an item of "tools".
    [[nodiscard]] bool is_tool(std::size_t depth) const {
        if (open_[depth].array) return false;
        return depth == 0 || (depth == 2 && open_[1].array && open_[0].key == "tools");
    }

    void begin_schema(const std::string& key) {
        const auto* found = std::find(std::begin(kSchemas), std::end(kSchemas), key);
        if (found == std::end(kSchemas)) return;
        schema_ = static_cast<std::size_t>(found - std::begin(kSchemas));
        schema_depth_ = open_.size();
        tool_ = open_.size() == 1 ? 0 : open_[1].items - 1;
    }

    void add(const std::string& name) {
        auto& names = tools_[tool_][schema_];
        if (names.size() < kMaxNames && name.size() <= kLongestName) names.push_back(name);
    }

    static constexpr auto npos = static_cast<std::size_t>(-1);
    std::vector<Open> open_;
    std::size_t schema_ = npos, schema_depth_ = 0, tool_ = 0;
    std::map<std::size_t, std::array<FieldOrder, std::size(kSchemas)>> tools_;
};

}  // namespace

std::vector<FieldOrder> field_orders(std::string_view text) {
    Collector collector;
    if (!nlohmann::json::sax_parse(text, &collector)) return {};
    return collector.take();
}

void sort_fields(std::vector<std::string>& names, const FieldOrder& order) {
    std::unordered_map<std::string_view, std::size_t> ranks;
    for (const auto& name : order) ranks.emplace(name, ranks.size());
    auto rank = [&](const std::string& name) {
        const auto it = ranks.find(name);
        return it == ranks.end() ? ranks.size() : it->second;
    };
    std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        const auto left = rank(a), right = rank(b);
        return left != right ? left < right : a < b;
    });
}

}  // namespace toolhost::registry
