#include "host/serve/input_required.hpp"

#include "host/base/json_text.hpp"
#include "host/serve/questions.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {
namespace {

constexpr std::chrono::minutes kLasts{30};

// What a state holds for: this request, of this client.
std::string bound_to(const Request& request) {
    const auto& params = request.params();
    Json others = params.others.is_null() ? Json::object() : params.others;
    for (const char* round : {"inputResponses", "requestState"}) others.erase(round);
    const Json wanted{params.name, params.arguments, std::move(others)};
    return std::string(request.method()) + '\n' + request.session()->principal().name + '\n' +
           dump(wanted);
}

Json save(const InputRound& round) {
    Json answers = Json::object();
    for (const auto& [id, answer] : round.answers)
        answers[id] = {{"status", answer.status}, {"value", answer.value}};
    Json state{{"attempt", round.attempt}, {"answers", std::move(answers)}};
    for (const auto& [id, answer] : round.consents)
        state["consents"][id] = static_cast<int>(answer);
    if (!round.volunteered.empty()) state["volunteered"] = round.volunteered;
    return state;
}

InputRound load(const Json& state) {
    InputRound round;
    round.attempt = state.at("attempt").get<std::uint32_t>() + 1;
    for (const auto& [id, answer] : state.at("answers").items())
        round.answers[id] = {answer.at("status").get<tool_status>(), answer.at("value")};
    const Json consents = state.value("consents", Json::object());
    for (const auto& [id, answer] : consents.items())
        round.consents[id] = static_cast<call::ConsentAnswer>(answer.get<int>());
    round.volunteered = state.value("volunteered", Json::object());
    return round;
}

// The answers that fit what was asked; the others are asked for again.
void take_responses(InputRound& round, const Json& asked, const Json& responses) {
    for (const auto& [key, question] : asked.items()) {
        const auto response = responses.find(key);
        if (response == responses.end()) continue;
        const auto id = question.at("id").get<std::string>();
        if (is_consent(question)) {
            // Only once is offered here: between requests, nothing would end "always".
            if (const auto answer = take_consent(*response))
                round.consents[id] = *answer == call::ConsentAnswer::no ? call::ConsentAnswer::no
                                                                        : call::ConsentAnswer::once;
        } else if (auto answer = take_answer(question, *response)) {
            round.answers[id] = *std::move(answer);
        }
    }
}

// What the error asks for: questions by the key the client answers them under.
Json questions_of(const Error& error) {
    Json questions = Json::object();
    if (error.code == ErrorCode::consent_required && error.details.contains("question"))
        questions["consent"] = error.details["question"];
    if (error.code != ErrorCode::interrupted) return questions;
    for (const auto& question : error.details.at("interrupts")) {
        const auto name = question.at("name").get<std::string>();
        std::string key = name;
        for (int i = 2; questions.contains(key); ++i) key = name + '-' + std::to_string(i);
        questions[key] = question;
    }
    return questions;
}

RpcError refused(const RequestState::Refusal& refusal) {
    switch (refusal.why) {
        case RequestState::Refusal::used:
            return {rpc_code::kInvalidParams,
                    "Invalid params: the requestState was used before; start again without it"};
        case RequestState::Refusal::no_room:
            return {rpc_code::kBusy,
                    "too many questions answered in the last 30 minutes: try again later"};
        case RequestState::Refusal::invalid:
            break;
    }
    return {rpc_code::kInvalidParams,
            "Invalid params: the requestState is invalid, expired, or belongs to another request; "
            "start again without it"};
}

void fail_for(Request& request, const Json& missing, const Error& error) {
    request.fail({rpc_code::kMissingCapability,
                  "the client lacks a required capability: " + error.message,
                  {{"requiredCapabilities", missing}, {"error", to_json(error)}}});
}

}  // namespace

boost::system::result<InputRound, RpcError> open_round(const Request& request) {
    const auto& params = request.params().others;
    const auto sealed = params.find("requestState"), responses = params.find("inputResponses");
    if (responses != params.end() && !responses->is_object())
        return RpcError{rpc_code::kInvalidParams,
                        "Invalid params: inputResponses must be an object"};
    if (sealed == params.end()) {
        InputRound round;
        if (responses != params.end()) round.volunteered = *responses;
        return round;
    }
    const std::string none;
    const auto state = request.server().request_state().take(
        sealed->is_string() ? sealed->get_ref<const std::string&>() : none, bound_to(request),
        request.session()->principal().name);
    if (!state) return refused(state.error());
    InputRound round = load(*state);
    if (responses != params.end()) take_responses(round, state->at("asked"), *responses);
    return round;
}

std::optional<call::Answer> volunteered(const InputRound& round, const Json& question) {
    const auto& name = question.at("name").get_ref<const std::string&>();
    const auto response = round.volunteered.find(name);
    if (response == round.volunteered.end() || name == "consent") return std::nullopt;
    return take_answer(question, *response);
}

bool ask_for_input(Request& request, const InputRound& round, const Error& error) {
    // The tool found out itself that the client cannot answer it.
    if (error.details.is_object() && error.details.contains("capability")) {
        const auto capability = error.details["capability"].get<std::string>();
        return fail_for(request, {{capability, Json::object()}}, error), true;
    }
    const Json questions = questions_of(error);
    if (questions.empty()) return false;
    Json requests = Json::object(), asked = Json::object(), missing = Json::object();
    for (const auto& [key, question] : questions.items()) {
        const auto wanted =
            is_consent(question)
                ? consent_request(question.at("reason").at("message").get_ref<const std::string&>(),
                                  false)
                : input_request(question);
        if (!request.client().can(wanted.capability)) {
            missing[wanted.capability] = Json::object();
            continue;
        }
        requests[key] = {{"method", wanted.method}, {"params", wanted.params}};
        asked[key] = question;
    }
    if (requests.empty()) return fail_for(request, missing, error), true;
    Json state = save(round);
    state["asked"] = std::move(asked);
    request.reply(
        {{"inputRequests", std::move(requests)},
         {"requestState", request.server().request_state().seal(state, bound_to(request), kLasts)}},
        "input_required");
    return true;
}

}  // namespace toolhost::serve
