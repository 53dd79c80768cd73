// The fixtures that the conformance suite names, one file per kind.
#pragma once

#include <string_view>
#include <toolhost/plugin.hpp>

namespace conformance {

// One red pixel, and a few samples of silence.
[[nodiscard]] std::string_view red_pixel_png();
[[nodiscard]] std::string_view silence_wav();

// content.cpp: one tool per content kind.
toolhost::Tool simple_text();
toolhost::Tool image_content();
toolhost::Tool audio_content();
toolhost::Tool embedded_resource();
toolhost::Tool multiple_content_types();
toolhost::Tool error_handling();
toolhost::Tool json_schema_2020_12();
toolhost::Tool mirrored_header();

// streams.cpp: messages of a running tool.
toolhost::Tool tool_with_logging();
toolhost::Tool logging_tool();
toolhost::Tool tool_with_progress();
toolhost::Tool reconnection();
toolhost::Tool trigger_tool_change();
toolhost::Tool trigger_prompt_change();
toolhost::Tool waits_for_cancel();

// questions.cpp: questions of a tool before it acts.
toolhost::Tool elicitation();
toolhost::Tool elicitation_defaults();
toolhost::Tool elicitation_enums();
toolhost::Tool streaming_elicitation();
toolhost::Tool input_required_elicitation();
toolhost::Tool input_required_request_state();
toolhost::Tool input_required_tampered_state();
toolhost::Tool input_required_multi_round();

// client_requests.cpp: requests to the client.
toolhost::Tool sampling();
toolhost::Tool missing_capability();
toolhost::Tool input_required_sampling();
toolhost::Tool input_required_list_roots();
toolhost::Tool input_required_multiple_inputs();
toolhost::Tool input_required_capabilities();

// offers.cpp
toolhost::ResourceOffer static_text();
toolhost::ResourceOffer static_binary();
toolhost::ResourceOffer watched_resource();
toolhost::ResourceOffer template_data();
toolhost::PromptOffer simple_prompt();
toolhost::PromptOffer prompt_with_arguments();
toolhost::PromptOffer prompt_with_embedded_resource();
toolhost::PromptOffer prompt_with_image();
toolhost::PromptOffer input_required_prompt();

}  // namespace conformance
