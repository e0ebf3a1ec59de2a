/** Files that never change while a process runs: read once, on the first request, and named by their hash. */

import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { takes } from './codings.ts';
import { Answer, Content } from './route.ts';

/** Smaller pages are not worth compressing. */
const COMPRESSED_BYTES_MIN = 1_024;
/** The first client waits for it: the maximum, 11, takes ten times as long and saves only another tenth. */
const BROTLI_QUALITY = 9;

/**
 * The content security policy of an HTML page. Scripts, workers, styles, typefaces, the manifest and requests, the stream
 * included, come from this origin only; nothing is inline. No other page may frame it, because that page could trick users into clicking
 * what they do not see. Icons may be data URLs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of an HTML page. */
export const HTML_HEADERS = htmlHeaders();

/** The headers of an HTML page whose requests may go to another origin too. */
export function htmlHeaders(origin?: string): Readonly<Record<string, string>> {
  const policy = origin === undefined ? POLICY : POLICY.replace("connect-src 'self'", `$& ${origin}`);
  return { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };
}

export interface Page {
  readonly contentType: string;
  /** Reads the content. Called again only if it failed. */
  readonly load: () => Promise<Buffer>;
  /** Headers beside the content type and the caching headers, which they may override. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Loaded {
  readonly body: Buffer;
  readonly etag: string;
}

/** A page, plain and, where worthwhile, compressed. */
interface Shelved {
  readonly plain: Loaded;
  readonly compressed: Loaded | null;
}

/**
 * Answers requests for a page with its bytes, compressed for clients that accept it, or with an empty 304 for clients
 * that have them. Browsers revalidate each time, so that nobody reads the reference of a previous release.
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
    const isCompressed = compressed !== null && takes('br', asked['accept-encoding']);
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

/**
 * True if a client has the content of a tag. A proxy that compressed the bytes marks the tag as weak; it still names the same
 * page.
 */
export function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
