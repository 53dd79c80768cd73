#include "host/worker/worker_slots.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::worker;

namespace {

registry::Library library(const char* path) {
    registry::Library out;
    out.path = out.identity = path;
    return out;
}

}  // namespace

TEST_CASE("a known slot is kept while it is referenced") {
    WorkerSlots slots;
    WorkerConfig config;
    config.key = "k";
    auto known = std::make_unique<KnownSlot>();
    CHECK(known->get() == nullptr);
    std::weak_ptr<WorkerSlot> slot = *slots.find_or_add(library("a"), config, {}, known.get());
    // Adding another library's slot removes unused ones.
    CHECK(slots.find_or_add(library("b"), config, {}));
    CHECK(slot.lock() == known->get());
    CHECK(*slots.find_or_add(library("a"), config, {}) == slot.lock());
    CHECK(*slots.find_or_add(library("a"), config, {}, known.get()) == slot.lock());
    known.reset();
    CHECK(slots.find_or_add(library("c"), config, {}));
    CHECK(slot.expired());
}

TEST_CASE("an owner's calls do not run in the common slot") {
    WorkerSlots slots;
    const WorkerConfig config;
    KnownSlot known;
    const auto shared = *slots.find_or_add(library("a"), config, {}, &known);
    const auto own = *slots.find_or_add(library("a"), config, {"ann", ""}, &known);
    CHECK(own != shared);
    CHECK(own->owner == SlotOwner{"ann", ""});
    CHECK(known.get() == shared);
}

TEST_CASE("an owner's slot is known until slots change") {
    WorkerSlots slots;
    WorkerConfig config;
    config.key = "k";
    KnownSlot known;
    const SlotOwner ann{"ann", "session"};
    auto own = *slots.find_or_add(library("a"), config, ann, &known);
    CHECK(*slots.find_or_add(library("a"), config, ann, &known) == own);
    CHECK(*slots.find_or_add(library("a"), config, {"ann", "other"}, &known) != own);
    CHECK(*slots.find_or_add(library("a"), config, ann, &known) == own);
    // The known slot does not keep it from being removed.
    const std::weak_ptr<WorkerSlot> ended = own;
    own.reset();
    slots.end_caller("session");
    CHECK(ended.expired());
    CHECK(*slots.find_or_add(library("a"), config, ann, &known) != nullptr);
}
