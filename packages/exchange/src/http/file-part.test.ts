import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it, type TestContext } from 'node:test';
import { FilePart } from './file-part.ts';

const BYTES = 64 * 1_048_576;

describe('a file on its way to a client (FIL-2)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-part-'));
  const path = join(folder, 'large');
  writeFileSync(path, '');
  truncateSync(path, BYTES);
  after(() => rmSync(folder, { recursive: true }));

  /** A connection that has asked for what `send` answers. */
  async function asked(t: TestContext, send: (response: ServerResponse) => void) {
    const server = createServer((_, response) => send(response)).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: venue\r\n\r\n');
    return { server, socket };
  }

  it('is read no further than it is taken, and given up when nothing is taken', async (t) => {
    let written = 0;
    const { server, socket } = await asked(t, (response) => {
      const { socket: wire } = response;
      wire!.once('close', () => {
        written = wire!.bytesWritten;
      });
      response.writeHead(200, { 'content-length': BYTES });
      void new FilePart(path, 0, BYTES).sendTo(response, { stalledMs: 200 });
    });
    const [wire] = await once(server, 'connection');
    socket.pause();
    await once(wire, 'close');
    socket.destroy();
    // What the system holds for both ends of a connection on this machine.
    assert.ok(written > 0 && written < BYTES / 2, `${written}`);
  });

  it('that is shorter than it was breaks the connection, so that nobody takes it for whole', async (t) => {
    const short = join(folder, 'short');
    writeFileSync(short, 'all there is');
    const { socket } = await asked(t, (response) => {
      response.writeHead(200, { 'content-length': 100 });
      void new FilePart(short, 4, 100).sendTo(response);
    });
    const answer = await text(socket).catch((error: NodeJS.ErrnoException) => error.code!);
    assert.ok(answer === 'ECONNRESET' || answer.endsWith('\r\n\r\nthere is'), answer);
  });

  it('that is gone, or a client that hangs up, costs nothing but the connection', async (t) => {
    const none = await asked(t, (response) => void new FilePart(join(folder, 'none'), 0, 9).sendTo(response));
    assert.equal(await text(none.socket).catch(() => ''), '');
    const left = await asked(t, (response) => {
      response.writeHead(200, { 'content-length': BYTES });
      void new FilePart(path, 0, BYTES).sendTo(response);
    });
    await once(left.socket, 'data');
    const [wire] = [left.socket];
    wire.resetAndDestroy();
    await once(wire, 'close');
    assert.equal(
      await new Promise((resolve) => left.server.getConnections((_, count) => resolve(count >= 0))),
      true,
    );
  });
});
