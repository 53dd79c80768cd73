#include "host/discovery/cache_entry.hpp"

namespace toolhost::discovery {
namespace {

using registry::kNeeds;
using registry::ToolSpec;

constexpr std::int64_t kNone = -1;  // for numbers that are never negative

void pack_texts(Packer& packer, const std::vector<std::string>& texts) {
    packer.number(static_cast<std::int64_t>(texts.size()));
    for (const auto& text : texts) packer.text(text);
}

std::vector<std::string> unpack_texts(Unpacker& unpacker) {
    std::vector<std::string> out;
    for (auto count = unpacker.number(); count > 0; --count) out.push_back(unpacker.text());
    return out;
}

// The fields that every start reads, and the whole spec as text, which is rarely parsed.
void pack_tool(Packer& packer, const ToolSpec& spec) {
    for (const auto* text : {&spec.name, &spec.family, &spec.description, &spec.category})
        packer.text(*text);
    packer.text(spec.version.text());
    packer.number(spec.deprecated ? 1 : 0);
    packer.text(spec.deprecated.value_or(""));
    packer.number(spec.requires_consent ? 1 : 0);
    packer.number(spec.stateful ? 1 : 0);
    packer.number(spec.timeout_ms.value_or(kNone));
    packer.number(static_cast<std::int64_t>(spec.requirements.size()));
    for (const auto& [what, range] : spec.requirements) {
        packer.text(what);
        packer.text(range);
    }
    for (const auto& need : kNeeds) packer.number(spec.needs.*need.member ? 1 : 0);
    pack_texts(packer, spec.needs.tools);
    pack_texts(packer, spec.needs.optional);
    pack_texts(packer, spec.field_order);
    packer.text(spec.document.text());
}

ToolSpec unpack_tool(Unpacker& unpacker) {
    ToolSpec spec;
    for (auto* text : {&spec.name, &spec.family, &spec.description, &spec.category})
        *text = unpacker.text();
    auto version = Version::parse(unpacker.text());
    if (!version) throw std::runtime_error("invalid version");
    spec.version = *version;
    const bool deprecated = unpacker.number() != 0;
    auto advice = unpacker.text();
    if (deprecated) spec.deprecated = std::move(advice);
    spec.requires_consent = unpacker.number() != 0;
    spec.stateful = unpacker.number() != 0;
    if (auto timeout = unpacker.number(); timeout != kNone) spec.timeout_ms = timeout;
    for (auto count = unpacker.number(); count > 0; --count) {
        auto what = unpacker.text();
        spec.requirements[std::move(what)] = unpacker.text();
    }
    for (const auto& need : kNeeds) spec.needs.*need.member = unpacker.number() != 0;
    spec.needs.tools = unpack_texts(unpacker);
    spec.needs.optional = unpack_texts(unpacker);
    spec.field_order = unpack_texts(unpacker);
    spec.document = registry::SpecDocument::from_text(unpacker.text());
    return spec;
}

std::optional<Reason> unpack_reason(Unpacker& unpacker) {
    const auto code = unpacker.text();
    if (code.empty()) return std::nullopt;
    const auto reason = find_reason(code);
    if (!reason) throw std::runtime_error("unknown reason");
    return reason;
}

}  // namespace

void pack(Packer& packer, const Finding& f) {
    const auto& stamp = f.candidate.stamp;
    packer.text(f.candidate.path);
    for (auto part :
         {static_cast<std::int64_t>(stamp.size), static_cast<std::int64_t>(stamp.inode),
          stamp.mtime_ns, stamp.ctime_ns, static_cast<std::int64_t>(stamp.companions), f.seen_at,
          f.deadline_ms, static_cast<std::int64_t>(f.flags), std::int64_t{f.abi_minor}})
        packer.number(part);
    packer.text(f.reason ? info(*f.reason).code : "");
    for (const auto* text : {&f.sha256, &f.identity, &f.message, &f.output}) packer.text(*text);
    packer.number(static_cast<std::int64_t>(f.tools.size()));
    for (const auto& tool : f.tools) pack_tool(packer, tool);
}

Finding unpack(Unpacker& unpacker) {
    Finding f;
    f.candidate.path = unpacker.text();
    auto& stamp = f.candidate.stamp;
    stamp.size = static_cast<std::uint64_t>(unpacker.number());
    stamp.inode = static_cast<std::uint64_t>(unpacker.number());
    stamp.mtime_ns = unpacker.number();
    stamp.ctime_ns = unpacker.number();
    stamp.companions = static_cast<std::uint64_t>(unpacker.number());
    f.seen_at = unpacker.number();
    f.deadline_ms = unpacker.number();
    f.flags = static_cast<std::uint32_t>(unpacker.number());
    f.abi_minor = static_cast<std::uint16_t>(unpacker.number());
    f.reason = unpack_reason(unpacker);
    for (auto* text : {&f.sha256, &f.identity, &f.message, &f.output}) *text = unpacker.text();
    for (auto count = unpacker.number(); count > 0; --count)
        f.tools.push_back(unpack_tool(unpacker));
    f.from_cache = true;
    return f;
}

}  // namespace toolhost::discovery
