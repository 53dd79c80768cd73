// Grants as rows: to which tool, what, and where each is written.
#pragma once

#include <string>
#include <vector>

#include "host/policy/grants.hpp"

namespace toolhost::cli {

class GrantTable {
public:
    // `grants` outlive the table. Those that are not in force are shown with the reason.
    void add(const std::vector<policy::Grant>& grants, bool in_force);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    void print(const std::string& profile) const;
    [[nodiscard]] Json json() const;

private:
    struct Row {
        const policy::Grant* grant;
        bool in_force;
    };
    std::vector<Row> rows_;
};

}  // namespace toolhost::cli
