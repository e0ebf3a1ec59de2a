/** Bodies: JSON, declared as such, and nothing else (HTTP-1, HTTP-3). */

import { QUOTES_CONTENT_TYPE, required } from '@venue/protocol';
import type { FastifyRequest } from 'fastify';
import { HttpError, refuse } from './errors.ts';
import { parseStrictJson } from './json.ts';

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;
const QUOTES_TYPE = new RegExp(`^${QUOTES_CONTENT_TYPE}[ \\t]*(;|$)`, 'i');

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly takesQuoteBytes: boolean;
  }
}

/** The value of a request's body, or its bytes where it is a push in bytes. Throws the contract's refusal of a body that is missing, mislabelled or not JSON. */
export async function readBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  const { takesQuoteBytes } = request.routeOptions.config;
  if (takesQuoteBytes && QUOTES_TYPE.test(type)) return bytes;
  if (!JSON_TYPE.test(type)) refuse('wrongContentType');
  return readJson(bytes);
}

/** The value of a JSON body. Throws the contract's refusal of one that is empty or not JSON. */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new HttpError(required('body'));
  const value = parseStrictJson(bytes);
  return value === undefined ? refuse('malformedJson') : value;
}
