/* Good, but all its texts try to control the reader's terminal or to forge a log line. */
#include "fixture.h"

FIXTURE_SPEC_TEXT(TOOL_SERIAL,
                  "{\"name\": \"steers_terminal\","
                  " \"description\": \"Clears\\u001b[2J the screen, or \\u009b2J, or \\u202eback.\","
                  " \"category\": \"a\\nb\\u001b[1m\","
                  " \"inputSchema\": {\"type\": \"object\", \"properties\": {"
                  "  \"as\": {\"enum\": [\"text\", \"json\", \"error\", \"log\", \"progress\", \"stream\"]},"
                  "  \"field\\n\\u001b[1m\": {\"type\": \"string\", \"description\": \"d\\u001b[5m\"}}},"
                  " \"examples\": [{\"input\": {\"as\": \"text\", \"field\\n\\u001b[1m\": \"\\u009btext\"}, \"description\": \"e\\u001b[6m\"}]}")

/* ESC, CSI as one byte in UTF-8, right-to-left override, DEL. */
#define STEER "\\u001b[2J\\u009b1m\\u202e\\u007f"
#define RAW_STEER "\x1b[2J\xc2\x9b" "1m\xe2\x80\xae\x7f"

FIXTURE_INVOKE {
    char *as = fixture_value(request, "\"as\"");
    const char kind = as == NULL ? 't' : as[1];
    free(as);
    if (kind == 'j') {
        return fixture_reply(host, call, "[{\"json\":{\"said\":\"" STEER "\"}}]");
    }
    if (kind == 'e') {
        const tool_str code = fixture_str("forged");
        const tool_str message = fixture_str("it " RAW_STEER "\ntoolhost: forged");
        return host->fail(call, &code, &message);
    }
    if (kind == 'l') {
        const tool_str line = fixture_str("it " RAW_STEER "\nerror: forged\r\x9b" "2J");
        host->log(call, TOOL_LOG_WARN, &line);
    }
    if (kind == 'p' || kind == 's') {
        const tool_str progress = fixture_str("progress");
        const tool_str event = fixture_str("{\"progress\":1,\"total\":2,\"message\":\"" STEER "\"}");
        host->emit(call, &progress, &event);
    }
    return fixture_reply(host, call, "[{\"text\":\"said " STEER "\\nand more\"}]");
}
