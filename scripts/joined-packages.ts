/**
 * Joins packages that have hundreds of modules into one file each, for the processes of a test run. To find and link those
 * modules is half of what the start of an exchange costs, and a run of CI starts about a thousand processes that load them.
 */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = join(ROOT, 'node_modules');
/** As sources import them. */
const JOINED = [
  'typebox',
  'typebox/schema',
  'typebox/value',
  'typebox/system',
  'typebox/error',
  'viem',
  'viem/accounts',
  'viem/actions',
  'viem/chains',
  'viem/utils',
  'fast-check',
  '@noble/curves/secp256k1.js',
  '@noble/hashes/sha2.js',
  '@noble/hashes/sha3.js',
  '@noble/hashes/utils.js',
];

/** Makes the files unless they are there. Returns the option of Node that has a process load them. */
export async function preloadOfJoined(): Promise<string> {
  const versions = readFileSync(join(ROOT, 'package-lock.json'));
  const made = createHash('sha256').update(versions).update(JOINED.join()).digest('hex').slice(0, 16);
  const folder = `.cache/joined-${made}`;
  if (!existsSync(join(PACKAGES, folder))) await joinInto(join(PACKAGES, folder));
  return `--import=${new URL(`joined-hook.mjs?${folder}`, import.meta.url)}`;
}

async function joinInto(folder: string): Promise<void> {
  const { build } = await import('esbuild-dev');
  mkdirSync(join(PACKAGES, '.cache'), { recursive: true });
  // Named only when it is whole: another run may look for it at any moment.
  const made = mkdtempSync(`${folder}-`);
  try {
    const sources = JOINED.map((name) => ({
      in: fileURLToPath(import.meta.resolve(name)),
      out: nameOf(name),
    }));
    await build({
      entryPoints: sources,
      outdir: made,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What several of them use is there once, as its classes have to be.
      splitting: true,
      format: 'esm',
      platform: 'node',
      // It chooses between the WebSockets of Node and of a package.
      external: ['isows'],
      logLevel: 'error',
    });
    const files = Object.fromEntries(JOINED.map((name) => [name, `${nameOf(name)}.mjs`]));
    writeFileSync(join(made, 'files.json'), JSON.stringify(files));
    // Some tests start processes as another user.
    chmodSync(made, 0o755);
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function nameOf(specifier: string): string {
  return specifier.replaceAll('/', '+').replace(/\.js$/, '');
}
