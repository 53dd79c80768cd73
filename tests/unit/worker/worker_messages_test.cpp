// Messages to a worker arrive unchanged.
#include "host/worker/worker_messages.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::worker;

TEST_CASE("a confinement arrives at the worker as it was, with any bytes in its paths") {
    WorkerSetup sent{"/plugins/a\xff.so", "/copy/a.so", true, {}};
    auto& confinement = sent.confinement;
    confinement.sandbox = sandbox::Enforcement::required;
    confinement.limits.memory_mb = 64;
    confinement.network = true;
    confinement.read = {"/work\xff"};
    confinement.write = {"/work\xff", "/line\nbreak"};
    confinement.host_files = {"/work\xff/.config/toolhost/"};
    confinement.trusted_files = {"/work\xff/\xc3/.git/hooks"};
    confinement.created_files = {"/work/c.grants.yml"};
    confinement.trusted_names = {".git/hooks"};
    confinement.environment = {"A=\xff", "B="};
    const auto got = unpack_setup(pack_setup(sent));
    CHECK(got.name == sent.name);
    CHECK(got.load == sent.load);
    CHECK(got.concurrent);
    CHECK(got.confinement.sandbox == sandbox::Enforcement::required);
    CHECK(got.confinement.limits.memory_mb == 64);
    CHECK(got.confinement.network);
    CHECK_FALSE(got.confinement.exec);
    for (const auto list : sandbox::kConfinementLists)
        CHECK(got.confinement.*list == confinement.*list);
    CHECK_THROWS((void)unpack_setup(pack_pair("a", "b")));
}

TEST_CASE("different confinements never have the same bytes") {
    sandbox::Confinement one, other;
    one.write = {"/work\xfe"};
    other.write = {"/work\xff"};
    CHECK(pack_confinement(one) != pack_confinement(other));
    one.write = {"/a", "/b"};
    other.write = {"/a"};
    other.host_files = {"/b"};
    CHECK(pack_confinement(one) != pack_confinement(other));
    CHECK(pack_confinement(one) == pack_confinement(sandbox::Confinement(one)));
}

TEST_CASE("a refusal keeps the code of a failed sandbox, and no other code") {
    for (const auto& [sent, received] :
         {std::pair{ErrorCode::sandbox_unavailable, ErrorCode::sandbox_unavailable},
          {ErrorCode::plugin_unavailable, ErrorCode::plugin_unavailable},
          {ErrorCode::internal, ErrorCode::plugin_unavailable}}) {
        const auto got = unpack_refusal(pack_refusal({sent, "why", {{"status", 3}}}));
        CHECK(got.code == received);
        CHECK(got.message == "why");
        CHECK(got.details == Json{{"status", 3}});
    }
    CHECK_THROWS((void)unpack_refusal(pack_pair("why", "{}")));
}
