#pragma once

#include <filesystem>
#include <string>

struct git_repository;

namespace toolhost::test {

// A git repository with commits created by the test, without the git command.
class MadeRepository {
public:
    explicit MadeRepository(const std::filesystem::path& folder);
    ~MadeRepository();
    MadeRepository(const MadeRepository&) = delete;
    MadeRepository& operator=(const MadeRepository&) = delete;

    // Commits everything in the folder.
    void commit(const std::string& message);

private:
    git_repository* repository_ = nullptr;
    long time_ = 1700000000;
};

}  // namespace toolhost::test
