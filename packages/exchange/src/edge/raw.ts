/** Answers input that is not HTTP, with a response written by hand in the usual form. */

import type { Socket } from 'node:net';
import { MESSAGES } from '@venue/protocol';
import { CODE_HEADER, CORS_HEADERS } from '../http/cors.ts';
import { SEQ_HEADER } from './venue-seq.ts';

const { error: TEXT, code: CODE } = MESSAGES.malformedRequest;
const BODY = JSON.stringify({ error: TEXT });
const HEAD = [
  'HTTP/1.1 400 Bad Request',
  'content-type: application/json; charset=utf-8',
  `content-length: ${Buffer.byteLength(BODY)}`,
  ...Object.entries(CORS_HEADERS).map(([name, value]) => `${name}: ${value}`),
  `${CODE_HEADER}: ${CODE}`,
  'connection: close',
].join('\r\n');

/** Answers 400 to bytes that the HTTP parser refused, and hangs up. `seq` is the last entry. */
export function refuseRawRequest(error: NodeJS.ErrnoException, socket: Socket, seq: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(`${HEAD}\r\n${SEQ_HEADER}: ${seq}\r\n\r\n${BODY}`);
}
