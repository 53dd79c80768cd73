#include "actions/line_origins.hpp"

#include <algorithm>

#include "actions/patches.hpp"

namespace git {
namespace {

constexpr std::size_t kBlobsKept = 4;
constexpr const char* kComparing = "cannot compare a file with its earlier version";

bool same(const git_oid& a, const git_oid& b) {
    return git_oid_equal(&a, &b) != 0;
}

}  // namespace

// Changed lines, as positions before the first and after the last one.
struct LineOrigins::Change {
    std::size_t old_begin, old_end, new_begin, new_end;
};

std::vector<LineOrigin> LineOrigins::find(const git_oid& commit, const std::string& path,
                                          std::size_t first, std::size_t count) {
    origins_.assign(count, {});
    Version version{commit, path, {}};
    const auto place = places_.try_emplace(path, path).first;
    version.blob = place->second.find(history_, history_.links(commit).tree).id;
    suspect(std::move(version), {{0, first, count}});
    while (!suspects_.empty()) {
        call_.progress.step_or_stop("commits");
        look_into(take_newest());
    }
    return std::move(origins_);
}

void LineOrigins::suspect(Version version, const LinesList& lines) {
    if (lines.empty()) return;
    for (auto& known : suspects_) {
        if (!same(known.version.commit, version.commit) || known.version.path != version.path)
            continue;
        known.lines.insert(known.lines.end(), lines.begin(), lines.end());
        return;
    }
    suspects_.push_back({std::move(version), lines});
}

// Newest first, so that most lines of a commit are collected before it is examined.
LineOrigins::Suspect LineOrigins::take_newest() {
    const auto newest = std::max_element(
        suspects_.begin(), suspects_.end(), [this](const Suspect& a, const Suspect& b) {
            return history_.links(a.version.commit).time < history_.links(b.version.commit).time;
        });
    auto out = std::move(*newest);
    suspects_.erase(newest);
    return out;
}

void LineOrigins::look_into(Suspect suspected) {
    const auto& version = suspected.version;
    const auto& parents = history_.links(version.commit).parents;
    std::vector<std::optional<Version>> older(parents.size());
    // All parents are checked for the same path first, because finding renames takes longer.
    for (const auto find : {&LineOrigins::same_path, &LineOrigins::renamed}) {
        for (std::size_t i = 0; i < parents.size(); ++i) {
            if (older[i]) continue;
            older[i] = (this->*find)(version, parents[i]);
            if (!older[i] || !same(older[i]->blob, version.blob)) continue;
            suspect(std::move(*older[i]), suspected.lines);
            return;
        }
    }
    for (const auto& one : older)
        if (one && !suspected.lines.empty()) suspected.lines = pass(version, *one, suspected.lines);
    for (const auto& lines : suspected.lines)
        std::fill_n(origins_.begin() + static_cast<std::ptrdiff_t>(lines.asked), lines.count,
                    LineOrigin{version.commit, parents.empty()});
}

std::optional<LineOrigins::Version> LineOrigins::same_path(const Version& version,
                                                           const git_oid& parent) {
    auto& place = places_.try_emplace(version.path, version.path).first->second;
    const auto entry = place.find(history_, history_.links(parent).tree);
    if (entry.mode == 0 || entry.mode == GIT_FILEMODE_TREE || entry.mode == GIT_FILEMODE_COMMIT)
        return std::nullopt;
    return Version{parent, version.path, entry.id};
}

std::optional<LineOrigins::Version> LineOrigins::renamed(const Version& version,
                                                         const git_oid& parent) {
    const auto tree = [this](const git_oid& commit) {
        return make<Tree>("cannot read the tree", git_tree_lookup, call_.git(),
                          &history_.links(commit).tree);
    };
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    const auto diff = make<Diff>(kComparing, git_diff_tree_to_tree, call_.git(), tree(parent).get(),
                                 tree(version.commit).get(), &options);
    find_renames(diff.get());
    for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
        const auto& delta = *git_diff_get_delta(diff.get(), i);
        if (delta.status == GIT_DELTA_RENAMED && version.path == delta.new_file.path)
            return Version{parent, delta.old_file.path, delta.old_file.id};
    }
    return std::nullopt;
}

LineOrigins::LinesList LineOrigins::pass(const Version& version, const Version& older,
                                         const LinesList& lines) {
    const auto changed = changes(older.blob, version.blob);
    LinesList passed, left;
    for (const auto& range : lines) {
        auto at = range.here;
        const auto end = range.here + range.count;
        const auto add = [&](LinesList& to, std::size_t until, std::size_t here) {
            until = std::min(until, end);
            if (until <= at) return;
            to.push_back({range.asked + (at - range.here), here, until - at});
            at = until;
        };
        std::size_t old_end = 0, new_end = 0;  // of the previous change
        for (const auto& change : changed) {
            add(passed, change.new_begin, old_end + (at - new_end));
            add(left, change.new_end, at);
            old_end = change.old_end;
            new_end = change.new_end;
            if (at == end) break;
        }
        add(passed, end, old_end + (at - new_end));
    }
    suspect(older, passed);
    return left;
}

std::vector<LineOrigins::Change> LineOrigins::changes(const git_oid& older, const git_oid& newer) {
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.context_lines = 0;
    options.flags = GIT_DIFF_FORCE_TEXT;
    std::vector<Change> out;
    const auto take = [](const git_diff_delta*, const git_diff_hunk* hunk, void* payload) {
        // A side without lines has the position of the line before.
        const auto place = [](int start, int count) {
            return static_cast<std::size_t>(count == 0 ? start : start - 1);
        };
        const auto from = place(hunk->old_start, hunk->old_lines);
        const auto to = place(hunk->new_start, hunk->new_lines);
        static_cast<std::vector<Change>*>(payload)->push_back(
            {from, from + static_cast<std::size_t>(hunk->old_lines), to,
             to + static_cast<std::size_t>(hunk->new_lines)});
        return 0;
    };
    check(git_diff_blobs(blob(older), nullptr, blob(newer), nullptr, &options, nullptr, nullptr,
                         take, nullptr, &out),
          kComparing);
    return out;
}

const git_blob* LineOrigins::blob(const git_oid& id) {
    const auto known = std::find_if(blobs_.begin(), blobs_.end(), [&](const Blob& one) {
        return same(*git_blob_id(one.get()), id);
    });
    // The last used one is kept longest.
    if (known != blobs_.end()) {
        std::rotate(known, known + 1, blobs_.end());
        return blobs_.back().get();
    }
    if (blobs_.size() == kBlobsKept) blobs_.erase(blobs_.begin());
    blobs_.push_back(make<Blob>("cannot read a file", git_blob_lookup, call_.git(), &id));
    return blobs_.back().get();
}

}  // namespace git
