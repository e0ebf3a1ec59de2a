/** The published package on each Node that it promises: it signs, opens channels, and follows the account. */

// @seconds 4

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { buildProgram } from '../../scripts/build-sdk.ts';
import { skipBecause } from '../faults/machine.ts';
import { nodeOf, whyNoNode } from './other-versions.ts';

const OTHERS = ['20.20.2', '22.23.3'];

/** Which Node has no WebSocket of its own is given that of `ws`, as the page says. */
const PROGRAM = `
const [door, url, ws] = process.argv.slice(2);
const { openChannels, randomPrivateKey, VenueClient, walletFromPrivateKey } = await import(door);
const webSocket = globalThis.WebSocket ?? (await import(ws)).WebSocket;
const venue = new VenueClient({ url, webSocket, now: 'venue' });
await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
const { seriesId } = (await venue.market.series('BTC')).at(-1);
const lost = [];
const onLost = ({ reason }) => lost.push(reason.message);
const channels = openChannels(venue, { onLost });
const book = await channels.book(seriesId).right();
const own = await channels.account().right();
const opened = new Promise((resolve) => {
  own.onChange(() => own.account.openOrders.length === 1 && resolve());
});
const { results } = await channels.batch([{ type: 'place', seriesId, side: 'buy', qty: '0.1', price: '0.01' }]);
const placed = results[0].status;
await opened;
const guard = await venue.orders.guard(30_000);
await guard.remove();
const orders = own.account.openOrders.length;
const { pulled } = await venue.orders.cancelAll();
console.log(JSON.stringify({ placed, pulled, orders, hasBook: book.isRight, lost }));
channels.close();
process.exit();
`;

let folder: string;
let exchange: LocalVenue;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'venue-sdk-nodes-'));
  const installed = join(folder, 'node_modules/@venue/sdk');
  mkdirSync(installed, { recursive: true });
  await buildProgram(installed);
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  exchange = await pricedVenue();
});
after(async () => {
  await exchange?.exchange.stop();
  rmSync(folder, { recursive: true, force: true });
});

const RUNTIMES = [
  ...OTHERS.map((version) => ({
    version,
    program: nodeOf(version),
    skip: skipBecause(whyNoNode(version)),
  })),
  { version: process.versions.node, program: process.execPath, skip: false as const },
];
for (const { version, program, skip } of RUNTIMES) {
  for (const door of ['@venue/sdk', '@venue/sdk/browser']) {
    test(`${door} signs, opens channels and follows the account on Node ${version}`, { skip }, async () => {
      const words = ['program.mjs', door, exchange.url, import.meta.resolve('ws')];
      const child = spawn(program, words, { cwd: folder });
      const ended = once(child, 'close');
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      assert.deepEqual([(await ended)[0], err], [0, '']);
      const seen = JSON.parse(out);
      assert.deepEqual(seen, { placed: 'rested', pulled: 1, orders: 1, hasBook: true, lost: [] });
    });
  }
}
