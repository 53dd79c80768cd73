// Added to the folder while the host serves: one more tool and one more prompt.
#include <string>
#include <toolhost/plugin.hpp>

TOOLHOST_PLUGIN(toolhost::family("late"),
                toolhost::tool("late_tool", "Came while the host served.",
                               [] { return std::string("here"); }),
                toolhost::prompt("late_prompt", "Came while the host served.").get([] {
                    return std::string("Say that you are here.");
                }))
