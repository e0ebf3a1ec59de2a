/** Nodes of the first release and of this one on one PostgreSQL log, upgraded one by one while clients trade. */

// @seconds 143

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FEATURE_LEVEL, levelInForce } from '@venue/engine';
import { openLogReader } from '@venue/log';
import { randomPrivateKey, walletFromPrivateKey } from '@venue/sdk';
import { PostgresServer, skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { eventually } from '../e2e/launched.ts';
import { Crowd } from '../faults/crowd.ts';
import { Evidence } from '../faults/evidence.ts';
import { NodeProcess } from '../faults/node-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The last commit before feature levels. */
const FIRST_RELEASE = '07ed059';
const SERVED = 20;

describe('a rolling upgrade from the first release (OWN-72)', { skip: skipWithoutPostgres() }, () => {
  let older: string;
  before(() => {
    older = releaseAt(FIRST_RELEASE);
  });
  after(() => rmSync(older, { recursive: true }));

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
    for (const node of nodes) {
      node.release = older;
      await node.start();
    }
    const crowd = await Crowd.gather({ urls: nodes.map(({ url }) => url), traders: 4 });
    ending.defer(() => crowd.abandon());
    crowd.start();
    const served = async () => {
      for (const node of nodes.keys()) await crowd.untilServed(SERVED, { node });
    };
    await served();
    const [first, last] = nodes as [NodeProcess, NodeProcess];
    await upgrade(first, crowd);
    await served();
    const evidence = new Evidence(postgres.url());
    await evidence.catchUp();
    assert.equal(levelInForce(evidence.state), 1);
    await eventually('it waits for the other', async () =>
      / 1$/.test(await metric(first, 'venue_feature_level_waits_for')),
    );
    const schema = async () => Number((await postgres.sql('SELECT schema_version FROM head'))[0]![0]);
    await sleep(20_000);
    assert.equal(await schema(), 1);
    await served();
    await upgrade(last, crowd);
    await eventually('the level is raised', async () =>
      (await metric(first, 'venue_feature_level')).endsWith(` ${FEATURE_LEVEL}`),
    );
    await eventually('the log is taken over', async () => (await schema()) === 2);
    await served();
    await signInAcross(nodes);
    await crowd.stop();
    await evidence.catchUp();
    assert.equal(levelInForce(evidence.state), FEATURE_LEVEL);
    assert.deepEqual([...evidence.faults(crowd.writes), ...crowd.faults], []);
    const kinds = await kindsOf(postgres.url());
    assert.ok(kinds.has('sign-in'));

    await last.stop();
    last.release = older;
    last.launch();
    assert.equal(await last.ends(), 1);
    assert.match(last.output, /^venue: the log was written by a newer version .*upgrade to open it\n$/);
    t.diagnostic(`${crowd.acknowledgements} writes acknowledged in ${evidence.state.seq} entries`);
  });
});

/** The files of a commit, with its dependencies. */
function releaseAt(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'venue-release-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  // Dependencies of that release that this one may have dropped.
  execFileSync(
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  );
  return folder;
}

async function upgrade(node: NodeProcess, crowd: Crowd): Promise<void> {
  await node.stop();
  node.release = undefined;
  await node.start();
  crowd.goHome();
}

async function metric(node: NodeProcess, name: string): Promise<string> {
  const text = await (await fetch(`${node.url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${name} `)) ?? '';
}

/** Gets the challenge from one node, and sends the signature to the other. */
async function signInAcross([one, other]: readonly NodeProcess[]): Promise<void> {
  const wallet = walletFromPrivateKey(randomPrivateKey());
  const { address } = wallet;
  const asked = await fetch(`${one!.url}/v1/auth/challenge?address=${address}`);
  const { message } = (await asked.json()) as { message: string };
  const verified = await fetch(`${other!.url}/v1/auth/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, signature: await wallet.signMessage({ message }) }),
  });
  assert.equal(verified.status, 200, await verified.text());
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
