/** The trading terminal at `/` and `/assets/*` (FINE-2), served from a folder of built files. */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { String as Text } from 'typebox';
import { refuse } from '../errors.ts';
import { JSON_TYPE, type Route, route } from '../route.ts';
import { HTML_HEADERS, htmlHeaders, type Page, pageServer } from '../shelf.ts';

const START_PAGE = 'index.html';
const ASSETS = 'assets';
const SERVICE_WORKER = 'service-worker.js';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json; charset=utf-8'],
]);

export interface TerminalFiles {
  /** The folder with the pages. */
  readonly folder: string;
  /** Output of `venue vault deploy`, from which a wallet finds the vault; null without one. */
  readonly vaultFile: string | null;
  /** True if browsers may keep the pages, to open without a network (INST-2). */
  readonly isKept: boolean;
  /** The URL at which browsers reach `venue push` (PUSH-2); null if the venue runs none. */
  readonly pushUrl: string | null;
}

/**
 * Routes of the terminal's files that exist when the process starts; null serves none. Throws if the folder cannot be
 * listed.
 */
export function terminalRoutes(files: TerminalFiles | null): Route[] {
  const start = files === null ? null : pageServer(startPage(files));
  const assets = files === null ? new Map<string, Served>() : assetsOf(files);
  return [
    route({
      ...READ,
      path: '/',
      contract: { excluded: 'the trading terminal, a page for people' },
      handle: ({ headers }) => (start ?? refuse('notFound'))(headers),
    }),
    route({
      ...READ,
      path: `/${ASSETS}/{file}`,
      contract: { excluded: 'scripts, styles and further pages of the terminal' },
      handle: ({ params, headers }) => (assets.get(params.get('file')!) ?? refuse('notFound'))(headers),
    }),
  ];
}

/** The service worker serves the page at `/`, above its own folder, and may ask nobody but this process. */
const WORKER_HEADERS = {
  'service-worker-allowed': '/',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
} as const;

const READ = { method: 'GET', access: 'public', answer: Text() } as const;

type Served = ReturnType<typeof pageServer>;

/** The trader's page alone asks the push process. */
function startPage({ folder, pushUrl }: TerminalFiles): Page {
  const page = pageOf(join(folder, START_PAGE));
  return pushUrl === null ? page : { ...page, headers: htmlHeaders(new URL(pushUrl).origin) };
}

function assetsOf({ folder, vaultFile, isKept, pushUrl }: TerminalFiles): ReadonlyMap<string, Served> {
  const names = readdirSync(join(folder, ASSETS))
    .filter((name) => TYPES.has(extname(name)))
    .filter((name) => isKept || name !== SERVICE_WORKER);
  const assets = new Map(names.map((name) => [name, pageServer(pageOf(join(folder, ASSETS, name)))]));
  if (vaultFile !== null)
    assets.set('vault.json', pageServer({ contentType: JSON_TYPE, load: () => readFile(vaultFile) }));
  if (pushUrl !== null)
    assets.set('push.json', pageServer({ contentType: JSON_TYPE, load: async () => pushFile(pushUrl) }));
  return assets;
}

function pushFile(pushUrl: string): Buffer {
  return Buffer.from(`${JSON.stringify({ url: pushUrl.replace(/\/$/, '') })}\n`);
}

/** Pages rebuilt in the meantime have other names; the old ones are gone. */
async function readPage(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? refuse('notFound') : Promise.reject(error),
  );
}

function pageOf(path: string): Page {
  const type = extname(path);
  const page = { contentType: TYPES.get(type)!, load: () => readPage(path) };
  if (type === '.html') return { ...page, headers: HTML_HEADERS };
  if (basename(path) === SERVICE_WORKER) return { ...page, headers: WORKER_HEADERS };
  // The page's description for who installs it has the same name in every release.
  if (type === '.webmanifest') return page;
  // The names of the others change with their content.
  return { ...page, headers: { 'cache-control': 'public, max-age=31536000, immutable' } };
}
