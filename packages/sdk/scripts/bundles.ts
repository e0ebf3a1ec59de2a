/** Bundles the package: the main doors readable, with shared modules, and a small door for browsers. */

import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild-dev';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROTOCOL = resolve(ROOT, 'packages/protocol/src');
const SMALL_SIGNING = resolve(ROOT, 'packages/sdk/scripts/small-signing.ts');

/** Runs on Node 20 and browsers of the same age. */
const COMMON: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  // A separate file holds the licences of bundled code.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** Files that went into the bundles, relative to the project's root. */
export type BundleInputs = readonly string[];

/** Writes `index.js`, `operators.js`, `spreads.js` and their shared modules, with the used parts of `@venue/protocol` inside. */
export async function bundleMain(outdir: string): Promise<BundleInputs> {
  const entryPoints = ['index', 'operators', 'spreads'].map((door) => `packages/sdk/src/${door}.ts`);
  const plugins = [protocol(resolve(PROTOCOL, 'signing.ts'))];
  const { metafile } = await build({ ...COMMON, entryPoints, outdir, splitting: true, plugins });
  return inputsOf(metafile!);
}

/** Writes `browser.js`, with the small signing. */
export async function bundleBrowser(outdir: string): Promise<BundleInputs> {
  const entryPoints = ['packages/sdk/src/browser.ts'];
  const { metafile } = await build({
    ...COMMON,
    entryPoints,
    outdir,
    minify: true,
    plugins: [protocol(SMALL_SIGNING)],
  });
  return inputsOf(metafile!);
}

/** Bundles the protocol from its sources, so that unused parts are dropped; `signing` is the module that signs. */
function protocol(signing: string): Plugin {
  return {
    name: 'protocol',
    setup({ onResolve }) {
      onResolve({ filter: /^@venue\/protocol\/signing$/ }, () => ({ path: signing }));
      onResolve({ filter: /^@venue\/protocol$/ }, () => ({
        path: resolve(PROTOCOL, 'index.ts'),
        sideEffects: false,
      }));
      onResolve({ filter: /^\./ }, ({ path, resolveDir }) =>
        relative(PROTOCOL, resolveDir).startsWith('..')
          ? undefined
          : { path: resolve(resolveDir, path), sideEffects: false },
      );
    },
  };
}

/** Inputs of which at least a byte is left in the output. */
function inputsOf({ outputs }: Metafile): BundleInputs {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  return [...new Set(used.map(([path]) => path))].sort();
}
