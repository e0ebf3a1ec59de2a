import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ParkedRow } from '@venue/protocol';
import { Attestor, type AttestorParts } from './attestor.ts';
import { AttestorMetrics } from './metrics.ts';

const BLOCK = { number: 7, hash: `0x${'ab'.repeat(32)}` };

function row(id: number, act: ParkedRow['act']): ParkedRow {
  const [address, sessionKey] = ['5', '7'].map((digit) => `0x${digit.repeat(40)}`);
  return { id, act, address: address!, sessionKey: sessionKey!, expiresAt: 1, signature: '0x', lapsesAt: 2 };
}

it('CUS-19: a revocation that arrives during a round waits for a few approvals, not for the whole lot', async () => {
  const lot = new Map(Array.from({ length: 200 }, (_, i) => [i, row(i, 'approve')]));
  const answered: number[] = [];
  const exchange: AttestorParts['exchange'] = {
    parked: async () =>
      [...lot.values()].sort((a, b) => Number(b.act === 'revoke') - Number(a.act === 'revoke')),
    attest: async ({ id }) => {
      answered.push(id);
      lot.delete(id);
      if (answered.length === 1) lot.set(999, row(999, 'revoke'));
      return { state: 'refused', reason: null } as never;
    },
  };
  const chain = { head: async () => BLOCK, block: async () => BLOCK, code: async () => '0x' };
  const attestor = new Attestor({
    ...{ exchange, chain: chain as unknown as AttestorParts['chain'], chainId: 1 },
    finality: { settled: async () => BLOCK.number } as unknown as AttestorParts['finality'],
    ...{ metrics: new AttestorMetrics(), log: () => {}, onStep: () => {} },
  });
  await attestor.round();
  const place = answered.indexOf(999);
  assert.ok(place > 0 && place < 50, `answered as number ${place}`);
  assert.ok(answered.length >= 200, 'the round answers all that it found');
});
