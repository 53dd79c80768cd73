// Grants as rows: the tool, the grant, and its origin.
#pragma once

#include <string>
#include <vector>

#include "host/policy/grants.hpp"

namespace toolhost::cli {

class GrantTable {
public:
    // `grants` must outlive the table. Inactive ones are shown with the reason.
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
