#include "made_repository.hpp"

#include <doctest/doctest.h>
#include <git2.h>

namespace toolhost::test {

MadeRepository::MadeRepository(const std::filesystem::path& folder) {
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_GLOBAL, "");
    REQUIRE(git_repository_init(&repository_, folder.c_str(), 0) == 0);
}

MadeRepository::~MadeRepository() {
    git_repository_free(repository_);
    git_libgit2_shutdown();
}

void MadeRepository::commit(const std::string& message) {
    git_index* index = nullptr;
    git_tree* tree = nullptr;
    git_signature* author = nullptr;
    git_commit* parent = nullptr;
    git_oid tree_id, parent_id, id;
    REQUIRE(git_repository_index(&index, repository_) == 0);
    REQUIRE(git_index_add_all(index, nullptr, 0, nullptr, nullptr) == 0);
    REQUIRE(git_index_update_all(index, nullptr, nullptr, nullptr) == 0);
    REQUIRE(git_index_write(index) == 0);
    REQUIRE(git_index_write_tree(&tree_id, index) == 0);
    REQUIRE(git_tree_lookup(&tree, repository_, &tree_id) == 0);
    time_ += 3600;
    REQUIRE(git_signature_new(&author, "An Author", "author@example.com", time_, 0) == 0);
    if (git_reference_name_to_id(&parent_id, repository_, "HEAD") == 0) {
        REQUIRE(git_commit_lookup(&parent, repository_, &parent_id) == 0);
    }
    const git_commit* parents[] = {parent};
    CHECK(git_commit_create(&id, repository_, "HEAD", author, author, "UTF-8", message.c_str(),
                            tree, parent ? 1 : 0, parents) == 0);
    git_commit_free(parent);
    git_signature_free(author);
    git_tree_free(tree);
    git_index_free(index);
}

}  // namespace toolhost::test
