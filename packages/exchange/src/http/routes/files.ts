/**
 * The files of finished days at `/files/` (FIL-1): files like the terminal's pages, and no JSON of `/v1`. Which there are is
 * looked up in a list, so that no path of a request ever becomes one of the disk.
 */

import { hash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { String as Text } from 'typebox';
import type { Day, ServedFile } from '../../files/daily-files.ts';
import { byteRangeOf } from '../byte-range.ts';
import { CORS_HEADERS } from '../cors.ts';
import { refuse } from '../errors.ts';
import { FilePart } from '../file-part.ts';
import { Answer, Content, JSON_TYPE, type Route, route } from '../route.ts';
import type { Services } from '../services.ts';
import { hasIt } from '../shelf.ts';

/** The days do not change; that they are of another log after a restore shows within the hour. */
const CACHED = 'public, max-age=3600';
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};
const PLAIN_TYPE = 'text/plain; charset=utf-8';
/** Also pages of other origins may read a part of a file, and check what they got. */
const EXPOSED = `${CORS_HEADERS['access-control-expose-headers']}, etag, content-range, content-length, accept-ranges`;

type FileShelf = NonNullable<Services['files']>;

/** At a node without daily files they find nothing. */
export function fileRoutes({ files }: Pick<Services, 'files'>): Route[] {
  const indexPage = new IndexPage();
  return [
    route({
      ...READ,
      path: '/files/index.json',
      contract: { excluded: 'the list of the daily files, which are files and no JSON of the contract' },
      handle: ({ headers }) => indexPage.answer((files ?? refuse('notFound')).days, headers),
    }),
    route({
      ...READ,
      path: '/files/{day}/{file}',
      contract: { excluded: 'daily files in CSV and Parquet, and their hashes' },
      handle: ({ params, headers }) => sendFile(files ?? refuse('notFound'), params, headers),
    }),
  ];
}

const READ = { method: 'GET', access: 'public', answer: Text() } as const;

/** Keeps its bytes until there are other days: those of years are a megabyte. */
class IndexPage {
  #days: readonly Day[] | null = null;
  #body = Buffer.alloc(0);
  #etag = '';

  answer(days: readonly Day[], headers: IncomingHttpHeaders): Answer {
    if (days !== this.#days) this.#render(days);
    const sent = { etag: this.#etag, 'cache-control': 'no-cache', 'access-control-expose-headers': EXPOSED };
    return hasIt(headers['if-none-match'], this.#etag)
      ? new Answer(304, new Content(JSON_TYPE, '', sent))
      : new Answer(200, new Content(JSON_TYPE, this.#body, sent));
  }

  #render(days: readonly Day[]): void {
    const listed = days.map(({ day, files }) => ({
      day,
      files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    }));
    this.#body = Buffer.from(`${JSON.stringify({ days: listed })}\n`);
    this.#etag = `"${hash('sha256', this.#body, 'hex').slice(0, 32)}"`;
    this.#days = days;
  }
}

async function sendFile(
  shelf: FileShelf,
  params: ReadonlyMap<string, string>,
  headers: IncomingHttpHeaders,
): Promise<Answer> {
  const [day, name] = [params.get('day')!, params.get('file')!];
  const file = shelf.find(day, name) ?? refuse('notFound');
  if (!(await isAsMade(file))) {
    shelf.suspect(day);
    refuse('notFound');
  }
  const etag = `"${file.sha256}"`;
  const type = TYPES[name.split('.').at(-1)!] ?? PLAIN_TYPE;
  const sent = {
    ...{ etag, 'cache-control': CACHED, 'accept-ranges': 'bytes' },
    ...{ 'x-content-type-options': 'nosniff', 'access-control-expose-headers': EXPOSED },
  };
  if (hasIt(headers['if-none-match'], etag)) return new Answer(304, new Content(type, '', sent));
  const range = rangeOf(file, etag, headers);
  if (range === 'none')
    return new Answer(416, new Content(type, '', { ...sent, 'content-range': `bytes */${file.bytes}` }));
  if (range === null) return new Answer(200, new Content(type, new FilePart(file.path, 0, file.bytes), sent));
  const { from, bytes } = range;
  const contentRange = `bytes ${from}-${from + bytes - 1}/${file.bytes}`;
  const part = new FilePart(file.path, from, bytes);
  return new Answer(206, new Content(type, part, { ...sent, 'content-range': contentRange }));
}

/** With `if-range`, a client wants the part only of the file that it knows. */
function rangeOf(file: ServedFile, etag: string, headers: IncomingHttpHeaders) {
  const known = headers['if-range'];
  return known !== undefined && known !== etag ? null : byteRangeOf(headers.range, file.bytes);
}

/** Somebody may have changed it, or put a link in its place, since it was checked. */
async function isAsMade({ path, folder, bytes, mtimeMs }: ServedFile): Promise<boolean> {
  try {
    const [inside, found] = [await lstat(folder), await lstat(path)];
    return inside.isDirectory() && found.isFile() && found.size === bytes && found.mtimeMs === mtimeMs;
  } catch {
    return false;
  }
}
