#include "host/cli/grant_table.hpp"

#include <algorithm>
#include <iostream>

#include "host/cli/terminal.hpp"

namespace toolhost::cli {

void GrantTable::add(const std::vector<policy::Grant>& grants, bool in_force) {
    for (const auto& grant : grants) rows_.push_back({&grant, in_force});
}

void GrantTable::print(const std::string& profile) const {
    std::size_t keys = 0, words = 0;
    for (const auto& [grant, ignored] : rows_) {
        keys = std::max(keys, columns_of(grant->key.text));
        words = std::max(words, columns_of(grant->word.text()));
    }
    for (const auto& [grant, in_force] : rows_) {
        std::cout << padded(printable(grant->key.text), keys) << "  "
                  << padded(printable(grant->word.text()), words) << "  "
                  << styled(Style::dim, printable(grant->place.text()));
        if (!in_force)
            std::cout << "  "
                      << styled(Style::yellow, "not in force: profile '" + printable(profile) +
                                                   "' has userGrants: false");
        std::cout << '\n';
    }
}

Json GrantTable::json() const {
    Json out = Json::array();
    for (const auto& [grant, in_force] : rows_)
        out.push_back({{"tool", grant->key.text},
                       {"grant", grant->word.text()},
                       {"from", grant->place.text()},
                       {"inForce", in_force}});
    return out;
}

}  // namespace toolhost::cli
