/** Nodes of this release and of the next on one PostgreSQL log, upgraded one by one while clients trade. */

// @seconds 143

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FEATURE_LEVEL, FEATURE_LEVELS, levelInForce } from '@venue/engine';
import { openLogReader } from '@venue/log';
import { randomPrivateKey, walletFromPrivateKey } from '@venue/sdk';
import { PostgresServer, skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { eventually } from '../e2e/launched.ts';
import { Crowd } from '../faults/crowd.ts';
import { Evidence } from '../faults/evidence.ts';
import { NodeProcess } from '../faults/node-process.ts';
import { NEXT_LEVEL, nextRelease, REFUSAL } from './next-release.ts';

const SERVED = 20;
/** A level that nothing needs: this release reads what the traders write at either. */
const NEXT_LEVELS = [...FEATURE_LEVELS, {}];

describe('a rolling upgrade to the next release (OWN-72)', { skip: skipWithoutPostgres() }, () => {
  let newer: string;
  before(() => {
    newer = nextRelease('sign-in');
  });
  after(() => rmSync(newer, { recursive: true }));

  test('no acknowledged write is lost, the feature level waits for the last old node, and a downgrade is refused', async (t) => {
    await using ending = new AsyncDisposableStack();
    const postgres = await PostgresServer.create({ settings: ['fsync = off'] });
    ending.defer(() => postgres.remove());
    await postgres.start();
    const nodes = await Promise.all(
      [postgres.url(), `${postgres.url()}?application_name=by%20another%20name`].map((url) =>
        NodeProcess.at(url, { VENUE_LOG_SINGLE: '1' }),
      ),
    );
    ending.defer(() => {
      for (const node of nodes) node.end();
    });
    for (const node of nodes) await node.start();
    const crowd = await Crowd.gather({ urls: nodes.map(({ url }) => url), traders: 4 });
    ending.defer(() => crowd.abandon());
    crowd.start();
    const served = async () => {
      for (const node of nodes.keys()) await crowd.untilServed(SERVED, { node });
    };
    await served();
    const [first, last] = nodes as [NodeProcess, NodeProcess];
    await upgrade(first, { to: newer, crowd });
    await served();
    const evidence = new Evidence(postgres.url(), NEXT_LEVELS);
    await evidence.catchUp();
    assert.equal(levelInForce(evidence.state), FEATURE_LEVEL);
    await eventually('it waits for the other', async () =>
      / 1$/.test(await metric(first, 'venue_feature_level_waits_for')),
    );
    await sleep(20_000);
    assert.equal(await levelAt(first), FEATURE_LEVEL);
    assert.equal(await signInAcross([first, last]), 409);
    await served();
    await upgrade(last, { to: newer, crowd });
    await eventually('the level is raised', async () => (await levelAt(first)) === NEXT_LEVEL);
    await served();
    assert.equal(await signInAcross([first, last]), 200);
    await crowd.stop();
    await evidence.catchUp();
    assert.equal(levelInForce(evidence.state), NEXT_LEVEL);
    assert.deepEqual([...evidence.faults(crowd.writes), ...crowd.faults], []);
    const kinds = await kindsOf(postgres.url());
    assert.ok(kinds.has('sign-in'));

    await last.stop();
    last.release = undefined;
    last.launch();
    assert.equal(await last.ends(), 1);
    assert.match(last.output, REFUSAL);
    t.diagnostic(`${crowd.acknowledgements} writes acknowledged in ${evidence.state.seq} entries`);
  });
});

async function upgrade(
  node: NodeProcess,
  { to, crowd }: { readonly to: string; readonly crowd: Crowd },
): Promise<void> {
  await node.stop();
  node.release = to;
  await node.start();
  crowd.goHome();
}

async function levelAt(node: NodeProcess): Promise<number> {
  return Number((await metric(node, 'venue_feature_level')).split(' ').at(-1));
}

async function metric(node: NodeProcess, name: string): Promise<string> {
  const text = await (await fetch(`${node.url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${name} `)) ?? '';
}

/** Gets the challenge from one node, and the status of the other's answer to the signature. */
async function signInAcross([other, one]: readonly NodeProcess[]): Promise<number> {
  const wallet = walletFromPrivateKey(randomPrivateKey());
  const { address } = wallet;
  const asked = await fetch(`${one!.url}/v1/auth/challenge?address=${address}`);
  const { message } = (await asked.json()) as { message: string };
  const verified = await fetch(`${other!.url}/v1/auth/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, signature: await wallet.signMessage({ message }) }),
  });
  return verified.status;
}

async function kindsOf(url: string): Promise<Set<string>> {
  const reader = await openLogReader(url);
  const kinds = new Set<string>();
  const { seq } = await reader.head();
  for (let from = 1; from <= seq; ) {
    const page = await reader.readEntries(from, seq);
    for (const { kind } of page) kinds.add(kind);
    from = page.at(-1)!.seq + 1;
  }
  await reader.close();
  return kinds;
}
