/** Bodies: JSON, declared as such, and nothing else (HTTP-1, HTTP-3). */

import { required } from '@venue/protocol';
import type { FastifyRequest } from 'fastify';
import { HttpError, refuse } from './errors.ts';
import { parseStrictJson } from './json.ts';

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/** The value of a request's body. Throws the contract's refusal of a body that is missing, mislabelled or not JSON. */
export async function readBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) refuse('wrongContentType');
  if (bytes.length === 0) throw new HttpError(required('body'));
  const value = parseStrictJson(bytes);
  return value === undefined ? refuse('malformedJson') : value;
}
