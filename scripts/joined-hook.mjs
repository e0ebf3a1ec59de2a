/**
 * Preloaded into the processes of a test run: packages come from the files that `joined-packages.ts` made, and this
 * project's own modules from where they say, without a search. Plain JavaScript, as some tests start older Nodes, which
 * have no such hooks and load everything as usual.
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';

const ROOT = new URL('../', import.meta.url).href;
const PACKAGES = `${ROOT}node_modules/`;
const [, folder] = import.meta.url.split('?');
const joined = new Map(
  Object.entries(JSON.parse(readFileSync(new URL(`${folder}/files.json`, PACKAGES), 'utf8'))),
);

module.registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    // Another release, or a package, may depend on another version.
    if (!parentURL.startsWith(ROOT) || parentURL.startsWith(PACKAGES)) return next(specifier, context);
    if (specifier.startsWith('.') && specifier.endsWith('.ts'))
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    const file = joined.get(specifier);
    return file === undefined
      ? next(specifier, context)
      : { url: new URL(`${folder}/${file}`, PACKAGES).href, format: 'module', shortCircuit: true };
  },
});
