/**
 * The interactive reference at `/docs`, the contract it shows and that of the stream, the pages of the documentation, and
 * `/llms.txt` and `/skill.md`, which send agents to them: all served by this process.
 */

import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { String as Text } from 'typebox';
import { refuse } from '../errors.ts';
import { JSON_TYPE, type Route, route } from '../route.ts';
import { HTML_HEADERS, type Page, pageServer } from '../shelf.ts';

const ROOT = new URL('../../../../../', import.meta.url);
const REFERENCE = new URL('docs/reference/', ROOT);
const VECTORS = new URL('../../../../protocol/vectors/envelopes.json', import.meta.url);
const OWN = new URL('../reference/', import.meta.url);
const SWAGGER = new URL('./', import.meta.resolve('swagger-ui-dist/package.json'));

const YAML_TYPE = 'application/yaml; charset=utf-8';
const PLAIN_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

const HTML: Page = {
  contentType: 'text/html; charset=utf-8',
  load: () => readFile(new URL('index.html', OWN)),
  headers: HTML_HEADERS,
};
const FILES: ReadonlyMap<string, Page> = new Map([
  ['start.js', script(new URL('start.js', OWN))],
  ['swagger-ui.js', script(new URL('swagger-ui-bundle.js', SWAGGER))],
  ['swagger-ui.css', file('text/css; charset=utf-8', new URL('swagger-ui.css', SWAGGER))],
  ['favicon.png', file('image/png', new URL('favicon-32x32.png', SWAGGER))],
]);
/** Pages of the documentation by their path below `docs`, so that no path of a request ever becomes one of the disk. */
const PAGES: ReadonlyMap<string, Page> = new Map(
  globSync('**/*.{md,yaml}', { cwd: fileURLToPath(new URL('docs/', ROOT)) }).map((path) => [
    path,
    file(path.endsWith('.md') ? MARKDOWN_TYPE : YAML_TYPE, new URL(`docs/${path}`, ROOT)),
  ]),
);

export function docsRoutes(): Route[] {
  const files = new Map([...FILES, ...PAGES].map(([name, page]) => [name, pageServer(page)]));
  return [
    pageRoute('/docs', HTML, 'the interactive reference, a page for people'),
    ...FOLDERS.map(([path, excluded]) =>
      route({
        ...{ ...READ, path, contract: { excluded } },
        handle: ({ params, headers }) =>
          (files.get([...params.values()].join('/')) ?? refuse('notFound'))(headers),
      }),
    ),
    ...contractRoutes('openapi', 'this contract itself'),
    ...contractRoutes('asyncapi', 'the description of the stream'),
    pageRoute('/vectors.json', file(JSON_TYPE, VECTORS), 'signed texts to test a client with'),
    pageRoute('/llms.txt', file(PLAIN_TYPE, new URL('llms.txt', ROOT)), 'the list of pages, for agents'),
    pageRoute('/skill.md', file(MARKDOWN_TYPE, new URL('skill.md', ROOT)), 'how an agent trades here'),
  ];
}

const FOLDERS = [
  ['/docs/{file}', 'scripts and styles of the reference, and the index of the pages'],
  ['/docs/{folder}/{file}', 'pages of the documentation'],
  ['/docs/{folder}/{topic}/{file}', 'pages of the documentation, a folder further down'],
] as const;
const READ = { method: 'GET', access: 'public', answer: Text() } as const;

function pageRoute(path: string, page: Page, excluded: string): Route {
  const serve = pageServer(page);
  return route({ ...READ, path, contract: { excluded }, handle: ({ headers }) => serve(headers) });
}

/** A committed document as it is, and as JSON. */
function contractRoutes(name: string, what: string): Route[] {
  const url = new URL(`${name}.yaml`, REFERENCE);
  const yaml = file(YAML_TYPE, url);
  const json: Page = { contentType: JSON_TYPE, load: () => asJson(fileURLToPath(url)) };
  return [pageRoute(`/${name}.yaml`, yaml, what), pageRoute(`/${name}.json`, json, `${what}, as JSON`)];
}

function script(url: URL): Page {
  return file('text/javascript; charset=utf-8', url);
}

function file(contentType: string, url: URL): Page {
  return { contentType, load: () => readFile(url) };
}

async function asJson(path: string): Promise<Buffer> {
  const worker = new Worker(new URL('../yaml-worker.ts', import.meta.url), { workerData: path });
  const [json] = await once(worker, 'message');
  return Buffer.from(json as string);
}
