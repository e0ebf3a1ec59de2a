import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walletOf } from './wallets.ts';

const provider = { request: async () => [] };
const info = { uuid: '1', name: 'Purse', icon: 'data:image/png;base64,AA==', rdns: 'com.example' };

test('a wallet is read from its announcement', () => {
  assert.deepEqual(walletOf({ info, provider }), { info, provider });
});

test('anything else is rejected, whatever was announced', () => {
  const announced = [
    null,
    undefined,
    7,
    'x',
    {},
    { info: null, provider },
    { info: { ...info, uuid: 1 }, provider },
    { info: { ...info, name: { toString: () => 'Purse' } }, provider },
    { info },
    { info, provider: {} },
    { info, provider: { request: 'eth_sign' } },
  ];
  for (const one of announced) assert.equal(walletOf(one), null);
});

test('an icon on another server is dropped, and a long name is cut', () => {
  for (const icon of ['https://example.com/x.png', 'javascript:alert(1)', 7, undefined])
    assert.equal(walletOf({ info: { ...info, icon }, provider })!.info.icon, '');
  assert.equal(walletOf({ info: { ...info, name: 'x'.repeat(1_000) }, provider })!.info.name.length, 40);
  assert.match(walletOf({ info: { ...info, name: '  ' }, provider })!.info.name, /without a name/);
});
