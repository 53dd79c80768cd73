/* Embeds toolhost with the C header only. usage: embedder_c PLUGINS; prints its observations. */
#include <stdio.h>
#include <string.h>
#include <toolhost/host.h>

static void on_event(void* data, const char* kind, const char* json) {
    (void)json;
    printf("event: %s\n", kind);
    if (data != NULL) {
        toolhost_cancel(data);
    }
}

static toolhost_status on_question(void* data, const char* question, toolhost_answer* answer) {
    (void)data;
    printf("asked: %s\n", question);
    return toolhost_set_answer(answer, "true");
}

static toolhost_consent on_consent(void* data, const char* question) {
    (void)data;
    printf("consent: %s\n", question);
    return TOOLHOST_CONSENT_ONCE;
}

static toolhost_status greet(void* data, const char* input, toolhost_call_context* call) {
    (void)data;
    toolhost_emit(call, "progress", "{\"progress\": 1}");
    return strstr(input, "\"Ann\"") != NULL ? toolhost_reply(call, "[{\"text\": \"hello Ann\"}]")
                                            : toolhost_fail(call, "unknown", "who is that?");
}

static void released(void* data) {
    printf("released: %s\n", (const char*)data);
}

static void call(toolhost_host* host, const char* title, const char* request, void* cancelled) {
    toolhost_observer observer = {0};
    observer.struct_size = sizeof observer;
    observer.data = cancelled;
    observer.event = on_event;
    observer.ask = on_question;
    observer.consent = on_consent;
    char* result = NULL;
    const toolhost_status status = toolhost_call(host, request, &observer, cancelled, &result);
    printf("%s: %d %s\n", title, (int)status, result);
    toolhost_free(result);
}

int main(int argc, char** argv) {
    if (argc != 2) {
        return 2;
    }
    char options[4096];
    snprintf(options, sizeof options, "{\"plugins\": [\"%s\"]}", argv[1]);
    toolhost_host* host = NULL;
    char* text = NULL;
    if (toolhost_open("{\"profile\": \"nope\"}", NULL, &host, &text) != TOOLHOST_OK) {
        printf("refused: %s\n", text);
    }
    toolhost_free(text);
    if (toolhost_open(options, NULL, &host, &text) != TOOLHOST_OK) {
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    printf("version: %s\n", toolhost_version());

    toolhost_tool tool = {0};
    tool.struct_size = sizeof tool;
    tool.spec =
        "{\"name\": \"greet\", \"description\": \"Greets.\", \"inputSchema\": "
        "{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}}}}";
    tool.data = "greet";
    tool.invoke = greet;
    tool.release = released;
    if (toolhost_create_tool(host, &tool, &text) != TOOLHOST_OK) {
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    if (toolhost_create_tool(host, &tool, &text) != TOOLHOST_OK) {
        printf("again: %s\n", text);
    }
    toolhost_free(text);

    if (toolhost_list(host, NULL, &text) == TOOLHOST_OK) {
        printf("tools:%s%s\n", strstr(text, "\"file_read\"") != NULL ? " file_read" : "",
               strstr(text, "\"greet\"") != NULL ? " greet" : "");
    }
    toolhost_free(text);
    call(host, "calculator", "{\"tool\": \"calculator\", \"input\": {\"expression\": \"6*7\"}}",
         NULL);
    call(host, "greet", "{\"tool\": \"greet\", \"input\": {\"name\": \"Ann\"}}", NULL);
    call(host, "nobody", "{\"tool\": \"greet\", \"input\": {\"name\": \"Bob\"}}", NULL);
    call(host, "asker", "{\"tool\": \"asker\"}", NULL);
    call(host, "careful", "{\"tool\": \"careful\"}", NULL);
    toolhost_cancellation* cancellation = toolhost_cancellation_create();
    call(host, "cancelled", "{\"tool\": \"waiter\", \"input\": {\"ms\": 600000}}", cancellation);
    toolhost_cancellation_free(cancellation);
    int32_t changed = 1;
    if (toolhost_reload(host, &changed, NULL) == TOOLHOST_OK) {
        printf("reload: %d\n", (int)changed);
    }
    toolhost_close(host);
    return 0;
}
