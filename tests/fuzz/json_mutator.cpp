// Mutates the parts of JSON lines. Mutating bytes alone would mostly give invalid JSON, which does
// not get past the parser. Linked with libFuzzer only.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "host/base/json_text.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed);

namespace toolhost::fuzz {
namespace {

using Json = nlohmann::json;

class Mutator {
public:
    explicit Mutator(unsigned int seed) : random_(seed) {}

    bool read(std::string_view text) {
        for (;;) {
            const auto end = text.find('\n');
            auto line = parse_json(text.substr(0, end));
            if (!line) return false;
            lines_.push_back(*std::move(line));
            if (end == std::string_view::npos) break;
            text.remove_prefix(end + 1);
        }
        for (Json& line : lines_) collect(line);
        return true;
    }

    void change() {
        const Json source = *parts_[below(parts_.size())];
        Json& target = *parts_[below(parts_.size())];
        switch (below(4)) {
            case 0:
                target = source;
                break;
            case 1:
                remove_from(target);
                break;
            case 2:
                add_to(target, source);
                break;
            default:
                target = scalar();
        }
    }

    [[nodiscard]] std::string write() const {
        std::string text;
        for (const Json& line : lines_) text += (&line == &lines_[0] ? "" : "\n") + dump(line);
        return text;
    }

    std::size_t below(std::size_t end) { return random_() % end; }

private:
    void collect(Json& part) {
        parts_.push_back(&part);
        if (auto* members = part.get_ptr<Json::object_t*>()) {
            for (auto& [name, member] : *members) {
                names_.push_back(name);
                collect(member);
            }
        } else if (part.is_array()) {
            for (Json& item : part) collect(item);
        }
    }

    void remove_from(Json& target) {
        if (target.empty() || !target.is_structured()) return;
        target.erase(std::next(target.begin(), static_cast<long>(below(target.size()))));
    }

    void add_to(Json& target, const Json& source) {
        if (target.is_array()) {
            const auto at = static_cast<long>(below(target.size() + 1));
            target.insert(std::next(target.begin(), at), source);
        } else if (target.is_object() && !names_.empty()) {
            target[names_[below(names_.size())]] = source;
        }
    }

    Json scalar() {
        static const Json kScalars = {nullptr,   true,       false, 0,   1,      -1,  2,
                                      0.5,       1e308,      "",    "a", "#",    "ä", "😀",
                                      INT64_MIN, UINT64_MAX, "[",   "5", "1e400"};
        return kScalars[below(kScalars.size())];
    }

    std::minstd_rand random_;
    std::vector<Json> lines_;
    std::vector<Json*> parts_;  // of all lines
    std::vector<std::string> names_;
};

}  // namespace
}  // namespace toolhost::fuzz

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned int seed) {
    toolhost::fuzz::Mutator mutator(seed);
    // Bytes are mutated too: invalid JSON must be refused.
    if (mutator.below(3) == 0 || !mutator.read(toolhost::fuzz::as_text(data, size)))
        return LLVMFuzzerMutate(data, size, max_size);
    mutator.change();
    const std::string text = mutator.write();
    if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::copy(text.begin(), text.end(), data);
    return text.size();
}
