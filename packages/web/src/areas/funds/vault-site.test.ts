import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseVaultSite, readVaultSite } from './vault-site.ts';

const FILE = {
  chainId: 1,
  vault: `0x${'Ab'.repeat(20)}`,
  token: `0x${'cd'.repeat(20)}`,
  txHash: '0x12',
  codeHash: `0x${'ef'.repeat(32)}`,
};

it("accepts a deployment's file, with its optional confirmations", () => {
  const site = parseVaultSite(FILE);
  assert.deepEqual([site.chainId, site.vault, site.confirmations], [1, `0x${'ab'.repeat(20)}`, 12]);
  assert.equal(parseVaultSite({ ...FILE, confirmations: 3 }).confirmations, 3);
});

it('rejects anything else', () => {
  const wrong = [
    null,
    [],
    {},
    { ...FILE, chainId: '1' },
    { ...FILE, vault: '0x12' },
    { ...FILE, confirmations: -1 },
    { ...FILE, codeHash: undefined },
    { ...FILE, codeHash: '0xef' },
  ];
  for (const value of wrong) assert.throws(() => parseVaultSite(value), /cannot be read/);
});

it('tells the operator what to do without one', async () => {
  await assert.rejects(
    readVaultSite('http://venue', async () => new Response('', { status: 404 })),
    /VENUE_TERMINAL_VAULT/,
  );
});
