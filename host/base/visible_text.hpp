// Text from plugins and clients made safe to show: control characters become visible escapes.
#pragma once

#include <string>
#include <string_view>

namespace toolhost {

// Replaces what can steer a terminal or reorder what a person reads: C0 controls except tab, DEL,
// C1 controls (also as single bytes), bidirectional controls and the line separators U+2028 and
// U+2029. They become JSON escapes such as \u001b, so that JSON text stays JSON text; bytes that
// are not UTF-8 become \x9b. `keep_newlines` leaves line ends (\n and \r\n) as they are; otherwise
// they become \n and \r. `also_invisible` is for what a person must judge: zero-width characters,
// fillers, tags and others without a glyph become escapes, too, also where emoji are made of them.
[[nodiscard]] std::string visible_text(std::string_view utf8, bool keep_newlines,
                                       bool also_invisible = false);

}  // namespace toolhost
