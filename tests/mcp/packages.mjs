// Loaded before every script: resolves packages in the folder of fetch.sh, which is not a parent of
// the scripts' folders.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const packages = pathToFileURL(`${process.env.TOOLHOST_MCP_PACKAGES}/`).href;

registerHooks({
    resolve(specifier, context, next) {
        const ours = context.parentURL && !context.parentURL.startsWith(packages);
        const bare = /^[@a-z]/.test(specifier) && !specifier.includes(':');
        return next(specifier, ours && bare ? { ...context, parentURL: packages } : context);
    },
});
