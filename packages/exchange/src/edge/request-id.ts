/** Gives each request an id, so that a client, the edge and the logs can refer to it. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID = 'x-request-id';

/** Safe to write into a log line or a header. */
const GIVEN = /^[\w.-]{1,64}$/;
const PROCESS = randomBytes(6).toString('hex');
let count = 0;

/** The id that the request brought, or the one generated on first use. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID];
  if (typeof given === 'string' && GIVEN.test(given)) return given;
  count += 1;
  const made = `${PROCESS}-${count.toString(36)}`;
  headers[REQUEST_ID] = made;
  return made;
}
