#include "host/serve/doorkeeper.hpp"
namespace toolhost::serve {
struct Doorkeeper::State {
    Json m;
};
Doorkeeper::~Doorkeeper() = default;
Result<std::shared_ptr<Doorkeeper>> Doorkeeper::open(const Options&) {
    return Error{ErrorCode::internal, "stub", {}};
}
boost::system::result<Principal, Refusal> Doorkeeper::admit(std::optional<std::string_view>) {
    return Principal{};
}
bool Doorkeeper::asks() const {
    return false;
}
const Json& Doorkeeper::metadata() const {
    return state_->m;
}
void Doorkeeper::reload() {}
}  // namespace toolhost::serve
