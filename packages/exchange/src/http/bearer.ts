/** Finds whose token a request carries. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Address } from '@venue/protocol';
import { readToken, type Tokens } from '../auth/tokens.ts';
import { refuse } from './errors.ts';

/** The wallet whose token is in the headers; refuses a token that is missing, unknown or contradicted (AUTH-2). */
export function bearerOf(tokens: Tokens, headers: IncomingHttpHeaders): Address {
  const read = readToken(headers);
  if ('refusal' in read) refuse(read.refusal);
  return (read.token === null ? null : tokens.holderOf(read.token))?.address ?? refuse('unknownToken');
}
