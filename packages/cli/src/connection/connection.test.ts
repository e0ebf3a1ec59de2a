import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { runInProcess } from '../../test/in-process.ts';

describe('the address that a command reads from (FOL-5)', () => {
  let asked: string[] = [];
  const serverOf = (name: string) =>
    createServer((request, response) => {
      asked.push(name);
      request.resume();
      response.setHeader('content-type', 'application/json');
      response.end('{"seriesId":"BTC-1795827600-C-92000","bids":[],"asks":[]}');
    });
  const servers = { node: serverOf('node'), follower: serverOf('follower') };
  const urlOf = (name: keyof typeof servers) =>
    `http://127.0.0.1:${(servers[name].address() as AddressInfo).port}`;

  before(async () => {
    for (const server of Object.values(servers)) await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    for (const server of Object.values(servers)) server.close().closeAllConnections();
  });

  const BOOK = ['book', 'BTC-1795827600-C-92000'];

  /** The servers that a command asked, once it has succeeded. */
  async function askedBy(words: readonly string[], env: Record<string, string>): Promise<string[]> {
    asked = [];
    const { code, stderr } = await runInProcess(words, env);
    assert.deepEqual([code, stderr], [0, '']);
    return [...new Set(asked)];
  }

  it('is VENUE_READ_URL or --read-url, and else that of the venue', async () => {
    const node = urlOf('node');
    const follower = urlOf('follower');
    const both = { VENUE_URL: node, VENUE_READ_URL: follower };
    assert.deepEqual(await askedBy(BOOK, { VENUE_URL: node }), ['node']);
    assert.deepEqual(await askedBy(BOOK, both), ['follower']);
    assert.deepEqual(await askedBy([...BOOK, '--read-url', node], both), ['node']);
    assert.deepEqual(await askedBy([...BOOK, '--url', node, '--read-url', follower], {}), ['follower']);
  });

  it('is not VENUE_READ_URL where --url names another venue', async () => {
    const env = { VENUE_URL: 'http://127.0.0.1:1', VENUE_READ_URL: urlOf('follower') };
    assert.deepEqual(await askedBy([...BOOK, '--url', urlOf('node')], env), ['node']);
  });

  it('is refused in one line if it is none, and nothing is asked', async () => {
    asked = [];
    const wrong = await runInProcess([...BOOK, '--read-url', 'ftp://x'], { VENUE_URL: urlOf('node') });
    assert.match(wrong.stderr, /^venue: --read-url must be .*\n/);
    assert.notEqual(wrong.code, 0);
    const env = { VENUE_URL: urlOf('node'), VENUE_READ_URL: 'nowhere' };
    const { stderr } = await runInProcess(BOOK, env);
    assert.match(stderr, /^venue: VENUE_READ_URL must be an http address, not "nowhere"\n$/);
    assert.deepEqual(asked, []);
  });
});
