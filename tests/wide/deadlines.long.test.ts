/** Deadlines that pass while no exchange runs: what the first entry afterwards does, and what every node then shows. */

// @seconds 38

import assert from 'node:assert/strict';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLogReader } from '@venue/log';
import { type OrderRecord, randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { PostgresCluster } from '../../packages/log/test/postgres-cluster.ts';
import { skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { eventually } from '../e2e/launched.ts';
import { Crowd, SYMBOL } from '../faults/crowd.ts';
import { NodeProcess } from '../faults/node-process.ts';

const GUARD_MS = 11_000;
const TIMED_MS = 10_000;

interface Outage {
  readonly log: string;
  /** The last of them starts alone. */
  readonly nodes: readonly NodeProcess[];
  /** Runs while no node does. */
  readonly meanwhile?: () => Promise<unknown>;
}

test('DUE-1: the exchange on SQLite is down when deadlines pass', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-deadlines-'));
  const log = `sqlite:${join(folder.path, 'venue.db')}`;
  const node = await NodeProcess.at(log);
  try {
    await passDeadlines({ log, nodes: [node] });
  } finally {
    node.end();
  }
});

describe('two nodes on a replicated log', { skip: skipWithoutPostgres() }, () => {
  test('DUE-1: both are down when deadlines pass, and the database fails over', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-deadlines-'));
    await using ending = new AsyncDisposableStack();
    const postgres = await PostgresCluster.start({ standbys: 2 });
    ending.defer(() => postgres.remove());
    const log = postgres.url();
    const nodes = await Promise.all(
      ['one', 'other'].map((name) => NodeProcess.at(log, { VENUE_HISTORY: join(folder.path, name) })),
    );
    ending.defer(() => {
      for (const node of nodes) node.end();
    });
    const meanwhile = async () => {
      await postgres.primary.kill();
      await postgres.promote();
    };
    await passDeadlines({ log, nodes, meanwhile });
  });
});

/** Orders that would trade stand when everything is killed; a counterparty comes back first. */
async function passDeadlines({ log, nodes, meanwhile = async () => {} }: Outage): Promise<void> {
  for (const node of nodes) await node.start();
  const [first, last] = [nodes[0]!, nodes.at(-1)!];
  const crowd = await Crowd.gather({ urls: [last.url], traders: 0 });
  // The first node may still have to read what the last one listed.
  const { market } = new VenueClient({ url: first.url });
  const { seriesId } = await eventually('a series', async () => (await market.series(SYMBOL)).at(-1));
  const [alice, bob] = [await trader(first.url), await trader(last.url)];
  await bob.orders.setMargin(true);
  const bid = { type: 'place', seriesId, side: 'buy', qty: 0.1 } as const;
  const expiresAt = Date.now() + TIMED_MS;
  await alice.orders.batch([
    { ...bid, price: 5, tif: 'gtd', expiresAt, clientId: 'timed' },
    { ...bid, price: 4, clientId: 'guarded' },
    { type: 'guard', ms: GUARD_MS },
  ]);
  const { guardAt } = await alice.account.me();
  for (const node of nodes) await node.kill();
  const lastSeq = await headOf(log);
  await Promise.all([sleep(guardAt! - Date.now() + 100), meanwhile()]);
  await last.start();
  crowd.start();
  const sold = await bob.orders.place({ seriesId, side: 'sell', qty: 0.1, price: 4 });
  assert.deepEqual([sold.status, sold.fills], ['rested', []]);
  await crowd.stop();
  const firstEntryMs = await timeOf(log, lastSeq + 1);
  assert.ok(firstEntryMs >= guardAt!);
  for (const node of nodes) {
    if (node !== last) await node.start();
    assert.deepEqual(await endOf(node.url, alice, 'timed'), ['expired', 'gtd', 0, firstEntryMs]);
    assert.deepEqual(await endOf(node.url, alice, 'guarded'), ['cancelled', 'guard', 0, firstEntryMs]);
    const me = await read<{ guardAt: unknown; openOrderCount: number }>(`${node.url}/v1/me`, alice);
    assert.deepEqual([me.guardAt, me.openOrderCount], [null, 0]);
  }
}

async function trader(url: string): Promise<VenueClient> {
  const client = new VenueClient({ url });
  await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  return client;
}

async function endOf(url: string, { token }: VenueClient, clientId: string): Promise<unknown[]> {
  const order = await read<OrderRecord>(`${url}/v1/orders/client/${clientId}`, { token });
  return [order.status, order.cause, order.filledQty, order.closedAt];
}

/** Every node accepts the token that another one gave. */
async function read<T>(url: string, { token }: Pick<VenueClient, 'token'>): Promise<T> {
  const response = await fetch(url, { headers: { 'x-paper-token': token! } });
  assert.equal(response.status, 200);
  return (await response.json()) as T;
}

async function headOf(log: string): Promise<number> {
  const reader = await openLogReader(log);
  const { seq } = await reader.head();
  await reader.close();
  return seq;
}

async function timeOf(log: string, seq: number): Promise<number> {
  const reader = await openLogReader(log);
  const [entry] = await reader.readEntries(seq, seq);
  await reader.close();
  return entry!.ts;
}
