/** Reads bodies: JSON, declared as such, in no content coding, and nothing else (HTTP-1, HTTP-3, WEB-1). */

import type { IncomingMessage } from 'node:http';
import { MESSAGES, QUOTES_CONTENT_TYPE, required } from '@venue/protocol';
import { HttpError, refuse } from '../http/errors.ts';
import { parseStrictJson } from '../http/json.ts';
import { bodyLimitOf, type Route } from '../http/route.ts';

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;
const IDENTITY = /^(?:identity)?$/i;
const QUOTES_TYPE = new RegExp(`^${QUOTES_CONTENT_TYPE}[ \\t]*(;|$)`, 'i');

export interface ReadBody {
  /** The value of JSON, the bytes of a push in bytes, or undefined for no body. */
  readonly body: unknown;
  /** As received, on a route that signs them; otherwise null. */
  readonly bytes: Uint8Array | null;
}

/**
 * The body of a request. Rejects with the contract's refusal of a body that is encoded, too long, mislabelled or not JSON, or
 * with the error of the connection.
 */
export async function readBody(request: IncomingMessage, route: Route): Promise<ReadBody> {
  const { headers } = request;
  const isSigned = route.signsBytes === true;
  const isEncoded = !IDENTITY.test(headers['content-encoding'] ?? '');
  if (isSigned && isEncoded) refuse('contentEncoded');
  const type = headers['content-type'];
  const length = headers['content-length'];
  const isEmpty = headers['transfer-encoding'] === undefined && (length === undefined || length === '0');
  if (isEmpty && type === undefined) return { body: undefined, bytes: isSigned ? new Uint8Array() : null };
  if (isEncoded) refuse('unsupportedEncoding');
  if (Number(length) > bodyLimitOf(route)) refuse('bodyTooLarge');
  const bytes = await readBytes(request, bodyLimitOf(route));
  return { body: decode(bytes, type ?? '', route), bytes: isSigned ? bytes : null };
}

/** The value of a JSON body. Throws the contract's refusal of a body that is empty or not JSON. */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new HttpError(required('body'));
  const value = parseStrictJson(bytes);
  return value === undefined ? refuse('malformedJson') : value;
}

function decode(bytes: Buffer, type: string, { takesQuoteBytes = false }: Route): unknown {
  if (takesQuoteBytes && QUOTES_TYPE.test(type)) return bytes;
  if (!JSON_TYPE.test(type)) refuse('wrongContentType');
  return readJson(bytes);
}

function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      reject(new HttpError(MESSAGES.bodyTooLarge));
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}
