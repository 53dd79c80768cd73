// Loaded before every script: packages are looked for where fetch.sh put them, which is not above
// the folders that the scripts lie in.
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
