#include "host/discovery/scan.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <set>

#include "host/discovery/cache_file.hpp"
#include "host/discovery/candidate.hpp"
#include "host/discovery/requirements.hpp"
#include "host/discovery/spec_cache.hpp"
#include "host/loading/library_files.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

bool is_cacheable(const Finding& finding) {
    if (finding.identity.empty()) return false;
    return finding.ok() || info(*finding.reason).cached != Cached::never;
}

void list_folders(const std::vector<std::string>& folders, ScanReport& report) {
    std::set<std::string> seen;  // a folder named twice is scanned once
    for (const auto& folder : folders) {
        boost::system::error_code fault;
        auto canonical = fs::canonical(folder, fault);
        if (!fault && !seen.insert(canonical.string()).second) continue;
        auto listing = list_candidates(fault ? folder : canonical.string());
        report.folders.push_back({listing.folder,
                                  fault != boost::system::errc::no_such_file_or_directory,
                                  listing.problem, listing.candidates.size()});
        std::move(listing.candidates.begin(), listing.candidates.end(),
                  std::back_inserter(report.findings));
    }
}

RequirementOptions requirement_options(const ScanOptions& options) {
    return {options.writable, options.cache, options.probe.program, options.retry_refused};
}

// Returns true, with the cached result in `finding`, if the cache entry is valid.
bool from_cache(SpecCache& cache, Finding& finding, ScanReport& report,
                const ScanOptions& options) {
    Finding known;
    auto hit = cache.take(finding.candidate, known);
    if (hit == CacheHit::miss || (options.retry_refused && !known.ok())) return false;
    if (!known.ok() && info(*known.reason).cached == Cached::this_deadline &&
        options.probe.deadline.count() > known.deadline_ms)
        return false;
    if (hit == CacheHit::suspect) {
        auto seen_at = now_seconds();
        const auto identity =
            loading::library_identity(finding.candidate.path, finding.candidate.own_folder);
        ++report.hashed;
        if (!identity || *identity != known.identity) return false;
        known.seen_at = seen_at;
    }
    finding = std::move(known);
    return true;
}

}  // namespace

ScanReport scan(const ScanOptions& options) {
    ScanReport report;
    list_folders(options.folders, report);
    SpecCache cache(options.cache);

    std::vector<Finding*> unknown;
    bool changed = false;
    for (auto& finding : report.findings) {
        if (!finding.ok()) continue;  // already refused
        if (!from_cache(cache, finding, report, options)) unknown.push_back(&finding);
    }
    report.probed = unknown.size();
    if (!unknown.empty()) {
        const auto seen_at = now_seconds();
        probe(unknown, options.probe);
        for (auto* finding : unknown) {
            finding->seen_at = seen_at;
            finding->deadline_ms = options.probe.deadline.count();
        }
        changed = true;
    }
    if (changed || report.hashed > 0) {
        std::vector<Finding> remembered;
        for (const auto& finding : report.findings)
            if (is_cacheable(finding)) remembered.push_back(finding);
        cache.save(remembered);
    }
    report.warnings = cache.warnings();
    spdlog::debug("scan: candidates={} probed={} hashed={}", report.findings.size(), report.probed,
                  report.hashed);
    return report;
}

std::vector<registry::Tool> take_tools(ScanReport& report, const ScanOptions& options) {
    std::vector<registry::Tool> tools;
    Requirements requirements(requirement_options(options));
    for (auto& finding : report.findings) {
        if (!finding.ok()) continue;
        auto library = std::make_shared<const registry::Library>(registry::Library{
            finding.candidate.path, finding.sha256, finding.flags, finding.candidate.own_folder,
            std::ranges::any_of(finding.tools, &registry::ToolSpec::stateful), finding.identity});
        for (auto& spec : finding.tools) {
            auto missing = requirements.missing(spec);
            tools.push_back({std::move(spec), library, std::move(missing), {}});
        }
    }
    requirements.save();
    return tools;
}

std::vector<std::string> missing_requirements(const registry::ToolSpec& spec,
                                              const ScanOptions& options) {
    if (spec.requirements.empty()) return {};
    Requirements requirements(requirement_options(options));
    auto missing = requirements.missing(spec);
    requirements.save();
    return missing;
}

}  // namespace toolhost::discovery
