import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discoverWallets, type InjectedProvider, walletFromProvider } from './injected.ts';
import { randomPrivateKey, walletFromPrivateKey } from './wallet.ts';

const own = walletFromPrivateKey(randomPrivateKey());

/** An extension that signs what it is shown, as EIP-1193 specifies: the text in hex, then the account. */
const provider: InjectedProvider = {
  request: async ({ method, params = [] }) => {
    if (method === 'eth_requestAccounts') return [own.address];
    assert.deepEqual([method, params[1]], ['personal_sign', own.address]);
    return own.signMessage({ message: Buffer.from(String(params[0]).slice(2), 'hex').toString() });
  },
};

test('an injected provider signs the exact bytes of a text', async () => {
  const wallet = await walletFromProvider(provider);
  assert.equal(wallet.address, own.address);
  const message = 'Venue: grüße\n\nAddress: 0xab';
  assert.equal(await wallet.signMessage({ message }), await own.signMessage({ message }));
});

test('a provider without an account is not a wallet, and its user’s refusal is passed on', async () => {
  await assert.rejects(walletFromProvider({ request: async () => [] }), /named no account/);
  const declined = Object.assign(new Error('User rejected the request.'), { code: 4001 });
  await assert.rejects(walletFromProvider({ request: () => Promise.reject(declined) }), declined);
});

test('EIP-6963: extensions that announce themselves are found, each once', async () => {
  const page = new EventTarget();
  const announce = (uuid: string) => {
    const detail = { info: { uuid, name: uuid, icon: 'data:,', rdns: 'org.example' }, provider };
    page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }));
  };
  page.addEventListener('eip6963:requestProvider', () => {
    for (const uuid of ['a', 'b', 'a']) announce(uuid);
  });
  const found = await discoverWallets({ page, waitMs: 5 });
  assert.deepEqual(
    found.map(({ info }) => info.uuid),
    ['a', 'b'],
  );
});
