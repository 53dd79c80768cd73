/* @NAME@: counts the words of a text. */
#include <stdio.h>
#include <string.h>
#include <toolhost/plugin.h>

static const char spec_json[] =
    "{\"name\": \"@NAME@\","
    " \"description\": \"Counts the words of a text.\","
    " \"version\": \"0.1.0\","
    " \"inputSchema\": {\"type\": \"object\","
    "   \"properties\": {\"text\": {\"type\": \"string\","
    "     \"description\": \"The text to count.\"}},"
    "   \"required\": [\"text\"], \"additionalProperties\": false},"
    " \"outputSchema\": {\"type\": \"object\","
    "   \"properties\": {\"words\": {\"type\": \"integer\","
    "     \"description\": \"The number of words.\"}},"
    "   \"required\": [\"words\"]}}";

static tool_str text(const char *chars) {
    tool_str result = {chars, strlen(chars)};
    return result;
}

const tool_spec_info *tool_spec(void) {
    static tool_spec_info info = {sizeof info, TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_CONCURRENT, 0,
                                  {spec_json, sizeof spec_json - 1}};
    return &info;
}

/* Returns the start of the value of "text", after its quote, or NULL if the input does not match
 * the schema. The input has one string member, so no JSON library is needed. */
static const char *find_value(tool_str input) {
    const char *end = input.data + input.size;
    const char *at = memchr(input.data, ':', input.size);
    while (at && ++at < end && strchr(" \t\r\n", *at)) {
    }
    return at && at < end && *at == '"' ? at + 1 : NULL;
}

/* Reads one character of a JSON string and returns whether it is white space. */
static int next_is_space(const char **at, const char *end) {
    const char c = *(*at)++;
    if (c != '\\' || *at == end) return c == ' ';
    const char escape = *(*at)++;
    if (escape != 'u') return strchr("nrtf", escape) != NULL;
    /* Four hexadecimal digits; 0009 to 000d and 0020 are white space. */
    unsigned code = 0;
    for (int i = 0; i < 4 && *at < end; ++i) {
        const char digit = *(*at)++;
        code = code * 16 + (unsigned)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    return code == 0x20 || (code >= 0x09 && code <= 0x0d);
}

tool_status tool_invoke(const tool_request *request, const tool_host *host, tool_call *call) {
    const char *end = request->input.data + request->input.size;
    const char *at = find_value(request->input);
    if (!at) {
        const tool_str code = text("invalid_input"), message = text("expected {\"text\": \"...\"}");
        host->fail(call, &code, &message);
        return TOOL_BAD_INPUT;
    }
    unsigned long words = 0;
    int inside = 0;
    while (at < end && *at != '"') {
        const int space = next_is_space(&at, end);
        if (!space && !inside) ++words;
        inside = !space;
    }
    char content[64];
    const int size = snprintf(content, sizeof content, "[{\"json\": {\"words\": %lu}}]", words);
    const tool_str reply = {content, (size_t)size};
    return host->reply(call, &reply);
}
