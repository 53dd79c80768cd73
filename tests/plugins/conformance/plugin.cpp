#include "tools.hpp"

using namespace conformance;

// Concurrent, because the suite calls while earlier calls still wait.
TOOLHOST_PLUGIN(toolhost::family("conformance"), toolhost::concurrent, simple_text(),
                image_content(), audio_content(), embedded_resource(), multiple_content_types(),
                error_handling(), json_schema_2020_12(), mirrored_header(), tool_with_logging(),
                logging_tool(), tool_with_progress(), reconnection(), trigger_tool_change(),
                trigger_prompt_change(), waits_for_cancel(), elicitation(), elicitation_defaults(),
                elicitation_enums(), streaming_elicitation(), input_required_elicitation(),
                input_required_request_state(), input_required_tampered_state(),
                input_required_multi_round(), sampling(), missing_capability(),
                input_required_sampling(), input_required_list_roots(),
                input_required_multiple_inputs(), input_required_capabilities(), static_text(),
                static_binary(), watched_resource(), template_data(), simple_prompt(),
                prompt_with_arguments(), prompt_with_embedded_resource(), prompt_with_image(),
                input_required_prompt())
