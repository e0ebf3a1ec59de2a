/** A server that receives quote pushes, parses them, answers, and does nothing else. Prints its address. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeQuotes, encodeQuotesAnswer, QUOTES_CONTENT_TYPE, type QuotesAnswer } from '@venue/protocol';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const type = request.headers['content-type'] ?? '';
    response.writeHead(200, { 'content-type': type });
    response.end(answerTo(type, Buffer.concat(chunks)));
  });
});

function answerTo(type: string, body: Buffer): string | Uint8Array {
  const answer = (applied: number): QuotesAnswer => ({ applied, kept: 0, errors: 0, rowErrors: [] });
  if (type === QUOTES_CONTENT_TYPE) return encodeQuotesAnswer(answer(decodeQuotes(body).length));
  const { rows, quotes } = JSON.parse(body.toString()) as Record<'rows' | 'quotes', unknown[] | undefined>;
  return JSON.stringify(answer((rows ?? quotes ?? []).length));
}

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
