/**
 * Builds `@venue/sdk` for publication: self-contained ES modules with their types, without dependencies.
 *
 *   npm run build:sdk [-- folder]     by default packages/sdk/dist; installs what building needs, whatever is there
 */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type BundleInputs, bundleBrowser, bundleMain } from '../packages/sdk/scripts/bundles.ts';
import { writeDeclarations } from '../packages/sdk/scripts/declarations.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOORS = new Map([
  ['.', 'index'],
  ['./browser', 'browser'],
  ['./operators', 'operators'],
  ['./spreads', 'spreads'],
]);

/** The build's results: the size of the browser entry point, and the bundled files. */
export interface SdkBuild {
  readonly gzipBytes: number;
  readonly brotliBytes: number;
  readonly browserInputs: BundleInputs;
}

/**
 * Builds into a folder, in the place of what is there. A build that fails leaves none: of half a package `npm pack` would
 * make one of the sources of the folder above.
 */
export async function buildSdk(outdir: string, build = buildInto): Promise<SdkBuild> {
  rmSync(outdir, { recursive: true, force: true });
  const unfinished = join(dirname(outdir), `.${basename(outdir)}-unfinished`);
  rmSync(unfinished, { recursive: true, force: true });
  try {
    const built = await build(unfinished);
    renameSync(unfinished, outdir);
    return built;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function buildInto(outdir: string): Promise<SdkBuild> {
  const built = await buildProgram(outdir);
  writeDeclarations(join(outdir, 'types'));
  return built;
}

/** All of the package but its types, which take the compiler: what a program runs. */
export async function buildProgram(outdir: string): Promise<SdkBuild> {
  mkdirSync(outdir, { recursive: true });
  const mainInputs = await bundleMain(outdir);
  const browserInputs = await bundleBrowser(outdir);
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(join(ROOT, 'LICENSE'), join(outdir, 'LICENSE'));
  writeFileSync(join(outdir, 'README.md'), readme());
  copyFileSync(join(ROOT, 'packages/protocol/vectors/envelopes.json'), join(outdir, 'vectors.json'));
  writeFileSync(join(outdir, 'THIRD-PARTY.txt'), notices([...mainInputs, ...browserInputs]));
  const browser = readFileSync(join(outdir, 'browser.js'));
  return {
    gzipBytes: gzipSync(browser, { level: 9 }).length,
    brotliBytes: brotliCompressSync(browser).length,
    browserInputs,
  };
}

/** The page of the client. Its links to other pages become plain text, because the package has none of those pages. */
function readme(): string {
  const page = readFileSync(join(ROOT, 'docs/reference/sdk.md'), 'utf8');
  return page.replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]+\)/g, '$1');
}

function manifest(): object {
  const { name, version, description, license } = readJson('packages/sdk/package.json');
  const exports = [...DOORS].map(([door, file]) => [
    door,
    { types: `./types/${file}.d.ts`, default: `./${file}.js` },
  ]);
  return {
    ...{ name, version, description, license, type: 'module', sideEffects: false },
    engines: { node: '>=20' },
    exports: {
      ...Object.fromEntries(exports),
      './vectors.json': './vectors.json',
      './package.json': './package.json',
    },
    files: ['*.js', 'types', 'vectors.json', 'THIRD-PARTY.txt'],
  };
}

/** The licences of the bundled packages. */
function notices(inputs: BundleInputs): string {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort().map(notice).join('\n');
}

function notice(name: string): string {
  const { version } = readJson(`node_modules/${name}/package.json`);
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt']
    .map((file) => join(ROOT, 'node_modules', name, file))
    .find(existsSync);
  if (file === undefined) throw new Error(`${name} has no licence file`);
  return `${name} ${version}\n\n${readFileSync(file, 'utf8')}`;
}

function readJson(path: string): Record<string, string> {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdir = resolve(process.argv[2] ?? join(ROOT, 'packages/sdk/dist'));
  const { gzipBytes, brotliBytes } = await buildSdk(outdir);
  console.log(`built ${outdir}; the browser's door has ${gzipBytes} bytes by gzip, ${brotliBytes} by brotli`);
}
