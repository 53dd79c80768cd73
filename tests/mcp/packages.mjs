// Loaded before every script here: packages are looked for where fetch.sh put them, which is not
// above this folder.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const here = new URL('.', import.meta.url).href;
const packages = pathToFileURL(`${process.env.TOOLHOST_MCP_PACKAGES}/`).href;

registerHooks({
    resolve(specifier, context, next) {
        const ours = context.parentURL?.startsWith(here) && /^[@a-z]/.test(specifier) &&
            !specifier.includes(':');
        return next(specifier, ours ? { ...context, parentURL: packages } : context);
    },
});
