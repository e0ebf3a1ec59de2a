/** Files that never change while a process runs: read once, when the first client asks, and named by their hash. */

import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Answer, Content } from './route.ts';

export interface Page {
  readonly contentType: string;
  /** Reads what is to be sent. Called again only if it failed. */
  readonly load: () => Promise<Buffer>;
  /** Headers beside the type and those that make it cacheable. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Loaded {
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Answers requests for a page: with its bytes, or with 304 and nothing where the client has them. Browsers ask each
 * time, so that nobody reads the reference of a release that is gone.
 *
 * @example const serve = pageServer({ contentType: 'text/css', load: () => readFile(path) });
 */
export function pageServer({
  contentType,
  load,
  headers = {},
}: Page): (asked: IncomingHttpHeaders) => Promise<Answer> {
  let loading: Promise<Loaded> | null = null;
  return async (asked) => {
    loading ??= readPage(load);
    const { body, etag } = await loading.catch((error) => {
      loading = null;
      throw error;
    });
    const sent = { ...headers, etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
    return hasIt(asked['if-none-match'], etag)
      ? new Answer(304, new Content(contentType, '', sent))
      : new Answer(200, new Content(contentType, body, sent));
  };
}

async function readPage(load: Page['load']): Promise<Loaded> {
  const body = await load();
  return { body, etag: `"${hash('sha256', body, 'hex').slice(0, 32)}"` };
}

/** A proxy that compressed the bytes marks the tag as weak; they are the same page all the same. */
function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
