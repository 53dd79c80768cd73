#include "clock/tzif.hpp"

#include <algorithm>

namespace data_tools::clock {
namespace {

constexpr std::size_t header_size = 44;
constexpr std::size_t type_size = 6;

// Reads big-endian numbers from a block whose size the caller has checked.
std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char c : bytes) value = value << 8U | static_cast<unsigned char>(c);
    return value;
}

struct Header {
    char version = 0;
    std::size_t isut, isstd, leaps, transitions, types, letters;

    std::size_t data_size(std::size_t time_size) const {
        return transitions * (time_size + 1) + types * type_size + letters +
               leaps * (time_size + 4) + isstd + isut;
    }
};

std::optional<Header> read_header(std::string_view text) {
    if (text.size() < header_size || text.substr(0, 4) != "TZif") return std::nullopt;
    const auto count = [&](std::size_t k) {
        return static_cast<std::size_t>(big_endian(text.substr(20 + 4 * k, 4)));
    };
    return Header{text[4], count(0), count(1), count(2), count(3), count(4), count(5)};
}

}  // namespace

Zone Zone::utc() {
    Zone zone;
    zone.types_.push_back({0, false, "UTC"});
    return zone;
}

Outcome<Zone> Zone::parse(std::string_view file) {
    const Failure broken{"the time zone file is damaged"};
    auto header = read_header(file);
    if (!header) return broken;
    std::size_t time_size = 4;
    std::string_view rest = file.substr(header_size);
    if (header->version >= '2') {
        // The first block contains 32-bit times; the same data with 64-bit times follows it.
        const std::size_t skip = header->data_size(4);
        if (skip > rest.size()) return broken;
        rest.remove_prefix(skip);
        header = read_header(rest);
        if (!header) return broken;
        rest.remove_prefix(header_size);
        time_size = 8;
    }
    const Header& h = *header;
    if (h.types == 0 || h.types > 256 || h.data_size(time_size) > rest.size()) return broken;

    Zone zone;
    const std::string_view times = rest.substr(0, h.transitions * time_size);
    const std::string_view after = rest.substr(times.size(), h.transitions);
    const std::string_view types = rest.substr(times.size() + after.size(), h.types * type_size);
    const std::string_view letters =
        rest.substr(times.size() + after.size() + types.size(), h.letters);
    for (std::size_t k = 0; k < h.types; ++k) {
        const std::string_view type = types.substr(k * type_size, type_size);
        const auto name_at = static_cast<unsigned char>(type[5]);
        if (name_at >= letters.size()) return broken;
        const std::string_view name = letters.substr(name_at);
        const auto offset = static_cast<std::int32_t>(big_endian(type.substr(0, 4)));
        if (offset < -93600 || offset > 93600) return broken;
        zone.types_.push_back({offset, type[4] != 0, std::string(name.substr(0, name.find('\0')))});
    }
    for (std::size_t k = 0; k < h.transitions; ++k) {
        const std::uint64_t raw = big_endian(times.substr(k * time_size, time_size));
        const auto time = time_size == 8
                              ? static_cast<std::int64_t>(raw)
                              : static_cast<std::int64_t>(static_cast<std::int32_t>(raw));
        const auto type = static_cast<std::uint8_t>(after[k]);
        if (type >= h.types) return broken;
        if (!zone.transitions_.empty() && time <= zone.transitions_.back()) return broken;
        zone.transitions_.push_back(time);
        zone.type_after_.push_back(type);
    }
    const std::string_view footer = rest.substr(h.data_size(time_size));
    if (time_size == 8 && footer.size() > 2 && footer.front() == '\n') {
        const std::size_t end = footer.find('\n', 1);
        if (end == std::string_view::npos) return broken;
        if (end > 1) {
            zone.rule_ = parse_posix_rule(footer.substr(1, end - 1));
            if (!zone.rule_) return broken;
        }
    }
    return zone;
}

LocalType Zone::at(std::int64_t unix_time) const {
    const auto next = std::upper_bound(transitions_.begin(), transitions_.end(), unix_time);
    if (next == transitions_.end() && rule_) return rule_->at(unix_time);
    if (next == transitions_.begin()) return types_.front();
    return types_[type_after_[static_cast<std::size_t>(next - transitions_.begin() - 1)]];
}

}  // namespace data_tools::clock
