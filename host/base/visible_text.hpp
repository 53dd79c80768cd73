// Makes text from plugins and clients safe to display: control characters become visible escapes.
#pragma once

#include <string>
#include <string_view>

namespace toolhost {

// Replaces characters that control a terminal or reorder text: C0 controls except tab, DEL, C1
// controls (also as single bytes), bidirectional controls, and the line separators U+2028 and
// U+2029. They become JSON escapes such as \u001b, so JSON text stays valid; invalid bytes become
// \x9b. `keep_newlines` keeps \n and \r\n. `also_invisible`, for text that a person must judge,
// also escapes zero-width characters, fillers, tags and others without a glyph, even those in
// emoji.
[[nodiscard]] std::string visible_text(std::string_view utf8, bool keep_newlines,
                                       bool also_invisible = false);

}  // namespace toolhost
