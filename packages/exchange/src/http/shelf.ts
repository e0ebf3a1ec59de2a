/** Files that never change while a process runs: read once, when the first client asks, and named by their hash. */

import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { Answer, Content } from './route.ts';

/** From here on a page is worth compressing. */
const COMPRESSED_BYTES_MIN = 1_024;
/** The first client waits for it: the best, 11, takes ten times as long for the last tenth. */
const BROTLI_QUALITY = 9;

/**
 * The content security policy of an HTML page: scripts, styles and requests of this origin alone, the stream among them; nothing inline, and
 * in nobody's frame, as a page around it could have people press what they do not see. Icons are data.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of an HTML page. */
export const HTML_HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' } as const;

export interface Page {
  readonly contentType: string;
  /** Reads what is to be sent. Called again only if it failed. */
  readonly load: () => Promise<Buffer>;
  /** Headers beside the type and those that make it cacheable, which they may replace. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Loaded {
  readonly body: Buffer;
  readonly etag: string;
}

/** The same page as it is, and compressed where that is worth it. */
interface Shelved {
  readonly plain: Loaded;
  readonly compressed: Loaded | null;
}

/**
 * Answers requests for a page: with its bytes, compressed for whoever takes that, or with 304 and nothing where the
 * client has them. Browsers ask each time, so that nobody reads the reference of a release that is gone.
 *
 * @example const serve = pageServer({ contentType: 'text/css', load: () => readFile(path) });
 */
export function pageServer({
  contentType,
  load,
  headers = {},
}: Page): (asked: IncomingHttpHeaders) => Promise<Answer> {
  let loading: Promise<Shelved> | null = null;
  return async (asked) => {
    loading ??= shelve(load);
    const { plain, compressed } = await loading.catch((error) => {
      loading = null;
      throw error;
    });
    const isCompressed = compressed !== null && takesBrotli(asked['accept-encoding']);
    const { body, etag } = isCompressed ? compressed : plain;
    const sent = {
      etag,
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      ...(isCompressed && { 'content-encoding': 'br' }),
      ...headers,
    };
    return hasIt(asked['if-none-match'], etag)
      ? new Answer(304, new Content(contentType, '', sent))
      : new Answer(200, new Content(contentType, body, sent));
  };
}

async function shelve(load: Page['load']): Promise<Shelved> {
  const body = await load();
  const name = hash('sha256', body, 'hex').slice(0, 32);
  const plain = { body, etag: `"${name}"` };
  if (body.length < COMPRESSED_BYTES_MIN) return { plain, compressed: null };
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const compressed = await promisify(brotliCompress)(body, { params });
  return { plain, compressed: { body: compressed, etag: `"${name}-br"` } };
}

function takesBrotli(acceptEncoding: string | string[] | undefined): boolean {
  return /(?:^|[\s,])br(?:\s*;\s*q=(?:1|0?\.\d*[1-9]))?\s*(?:,|$)/.test(String(acceptEncoding ?? ''));
}

/** A proxy that compressed the bytes marks the tag as weak; they are the same page all the same. */
function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
