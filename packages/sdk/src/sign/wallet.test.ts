import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Wallet as EthersWallet } from 'ethers';
import { createWalletClient, custom } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { VenueClient } from '../client/client.ts';
import {
  type AnyWallet,
  exportSession,
  hiding,
  randomPrivateKey,
  type Session,
  walletFromPrivateKey,
  walletOf,
} from './wallet.ts';

const privateKey = randomPrivateKey();
const wallet = walletFromPrivateKey(privateKey);
const plain = {
  account: wallet.address,
  sessionKey: wallet.address,
  expiresAtMs: 2e12,
  privateKey,
} as Session;

test('a private key is hidden from inspection and JSON, wherever the session stands', () => {
  const session = hiding(plain);
  for (const shown of [
    inspect(session),
    inspect({ deep: { in: [session] } }, { depth: null, showHidden: false }),
    JSON.stringify({ session }),
    `${session}`,
  ])
    assert.equal(shown.includes(privateKey.slice(2)), false, shown);
  assert.match(inspect(session), /privateKey: '\[hidden\]'/);
  assert.equal(session.privateKey, privateKey);
});

test('a client, a wallet and their errors show no key', async () => {
  const venue = new VenueClient({ url: 'http://127.0.0.1:1' });
  venue.auth.useSession(plain);
  const error = await venue.orders.setMargin(true).catch((thrown: unknown) => thrown);
  for (const shown of [venue, venue.auth, venue.orders, wallet, error])
    assert.equal(
      inspect(shown, { depth: null, showHidden: true }).includes(privateKey.slice(2)),
      false,
      inspect(shown),
    );
});

test('an exported session survives JSON, and is used again', () => {
  const session = hiding(plain);
  const kept = JSON.parse(JSON.stringify(exportSession(session)));
  assert.deepEqual(kept, plain);
  new VenueClient({ url: 'http://127.0.0.1:1' }).auth.useSession(kept);
});

test('wallets of viem and of ethers are taken as they are, and sign the same', async () => {
  const account = privateKeyToAccount(privateKey);
  const transport = custom({
    request: async ({ method }) => {
      assert.equal(method, 'eth_accounts');
      return [account.address];
    },
  });
  const message = 'Venue: grüße';
  const expected = await wallet.signMessage({ message });
  const given: AnyWallet[] = [
    account,
    createWalletClient({ account, chain: mainnet, transport }),
    new EthersWallet(privateKey),
  ];
  for (const one of given) {
    const { address, signMessage } = await walletOf(one);
    assert.equal(address.toLowerCase(), wallet.address);
    assert.equal(await signMessage({ message }), expected);
  }
  const { address } = await walletOf(createWalletClient({ chain: mainnet, transport }));
  assert.equal(address, account.address, 'the account that the client names');
});

test('what is no wallet is named as such, before anything is sent', async () => {
  const { auth } = new VenueClient({ url: 'http://127.0.0.1:1' });
  for (const none of [undefined, {}, { address: wallet.address }, { signMessage: wallet.signMessage }])
    await assert.rejects(
      auth.approveSession(none as never),
      /^TypeError: a wallet has an address and signMessage/,
    );
});
