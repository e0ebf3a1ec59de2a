/** A process with a Node HTTP server that sends prepared bytes by path, and does nothing else. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Headers } from '../shared/connection.ts';

export interface BareAnswer {
  readonly headers: Headers;
  readonly body: Buffer;
}

/** The first message: an answer for each path. */
process.once('message', (answers: ReadonlyMap<string, BareAnswer>) => {
  const server = createServer((request, response) => {
    const answer = answers.get(request.url!);
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, answer.headers);
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.once('disconnect', () => process.exit());
