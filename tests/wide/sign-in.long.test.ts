/** Sign-in by challenge at three real nodes on PostgreSQL, behind nginx with the configuration of deploy/. */

// @seconds 10

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { randomPrivateKey, walletFromPrivateKey } from '@venue/sdk';
import { PostgresServer, skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { eventually } from '../e2e/launched.ts';
import { NodeProcess } from '../faults/node-process.ts';
import { Edge, whyNoEdge } from './edge-server.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly message?: string; readonly token?: string; readonly error?: string };
}

describe('sign-in by challenge at three nodes (AUTH-1)', {
  skip: skipWithoutPostgres() || whyNoEdge(),
}, () => {
  let postgres: PostgresServer;
  let edge: Edge;
  let nodes: readonly NodeProcess[];

  before(async () => {
    postgres = await PostgresServer.create({ settings: ['fsync = off'] });
    await postgres.start();
    nodes = await Promise.all([1, 2, 3].map(() => NodeProcess.at(postgres.url(), { VENUE_LOG_SINGLE: '1' })));
    for (const node of nodes) await node.start();
    const [upstreamPort = 0, ...otherPorts] = nodes.map(({ url }) => Number(new URL(url).port));
    edge = await Edge.start({ upstreamPort, otherPorts, takesAddresses: true });
  });
  after(async () => {
    await edge?.stop();
    for (const node of nodes ?? []) node.end();
    await postgres?.remove();
  });

  const askNode = async (node: number, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${nodes[node]!.url}${path}`, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };
  const refused = (error: string): Answer => ({ status: 401, body: { error } });
  const newWallet = () => walletFromPrivateKey(randomPrivateKey());
  const messageAt = async (node: number, address: string): Promise<string> =>
    (await askNode(node, `/v1/auth/challenge?address=${address}`)).body.message!;
  const allHaveHeard = (address: string, message: string) =>
    eventually('all nodes have heard that the challenge is spent', async () => {
      const messages = await Promise.all([0, 1, 2].map((node) => messageAt(node, address)));
      return messages.every((one) => one !== message);
    });

  test('one node issues the challenge, another accepts it, and no third one accepts it again', async () => {
    const wallet = newWallet();
    const { address } = wallet;
    const message = await messageAt(0, address);
    const signature = await wallet.signMessage({ message });
    const signedIn = await askNode(1, '/v1/auth/verify', { address, signature });
    assert.equal(signedIn.status, 200, JSON.stringify(signedIn));
    await allHaveHeard(address, message);
    for (const node of [0, 1, 2]) {
      const again = await askNode(node, '/v1/auth/verify', { address, signature });
      assert.ok(again.status === 401, JSON.stringify(again));
    }
  });

  test('the same signature sent to all nodes at once signs in once', async () => {
    const wallet = newWallet();
    const { address } = wallet;
    const signature = await wallet.signMessage({ message: await messageAt(0, address) });
    const answers = await Promise.all(
      [0, 1, 2, 0, 1, 2].map((node) => askNode(node, '/v1/auth/verify', { address, signature })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401]);
  });

  test('a bad signature at another node uses up the challenge too', async () => {
    const wallet = newWallet();
    const { address } = wallet;
    const message = await messageAt(0, address);
    const bad = await newWallet().signMessage({ message });
    assert.deepEqual(
      await askNode(1, '/v1/auth/verify', { address, signature: bad }),
      refused('bad signature'),
    );
    await allHaveHeard(address, message);
    const signature = await wallet.signMessage({ message });
    assert.equal((await askNode(2, '/v1/auth/verify', { address, signature })).status, 401);
  });

  test('twelve wallets in a row sign in through nginx, on any node it chooses', async () => {
    for (let i = 0; i < 12; i++) {
      const wallet = newWallet();
      const { address } = wallet;
      const headers = { 'x-test-address': `10.7.0.${i + 1}` };
      const asked = await edge.ask(`/v1/auth/challenge?address=${address}`, { headers });
      const signature = await wallet.signMessage({ message: JSON.parse(asked.body).message });
      const body = JSON.stringify({ address, signature });
      const verified = await edge.ask('/v1/auth/verify', { method: 'POST', body, headers });
      assert.equal(verified.status, 200, verified.body);
    }
    await eventually('all are recorded', () => edge.accesses.length >= 24);
    const upstreams = edge.accesses.map(({ upstream }) => upstream);
    const pairs = upstreams.filter((one, i) => i % 2 === 0 && one !== upstreams[i + 1]);
    assert.ok(pairs.length > 0, 'nginx never changed the node between the two requests');
  });

  test('a challenge survives a restart of the node that issued it, and a spent one stays spent', async () => {
    const wallet = newWallet();
    const { address } = wallet;
    const first = await wallet.signMessage({ message: await messageAt(0, address) });
    assert.equal((await askNode(0, '/v1/auth/verify', { address, signature: first })).status, 200);
    const next = await wallet.signMessage({ message: await messageAt(0, address) });
    await nodes[0]!.kill();
    await nodes[0]!.start();
    assert.deepEqual(
      await askNode(0, '/v1/auth/verify', { address, signature: first }),
      refused('no challenge'),
    );
    assert.equal((await askNode(0, '/v1/auth/verify', { address, signature: next })).status, 200);
  });
});
