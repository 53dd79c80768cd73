// Changes the plugin folder when a tool requests it. A sandboxed tool cannot do so itself; its call
// is found in the host's events.
const TRIGGERS = ['test_trigger_tool_change', 'test_trigger_prompt_change'];

export function tend(stage, plugin) {
    let seen = 0;
    const look = () => {
        const events = stage.events();
        for (const { event, tool } of events.slice(seen)) {
            if (event !== 'hook.tool.after' || !TRIGGERS.includes(tool)) continue;
            if (stage.has(plugin)) stage.remove(plugin);
            else stage.add(plugin);
        }
        seen = events.length;
    };
    const timer = setInterval(look, 20);
    return () => clearInterval(timer);
}
