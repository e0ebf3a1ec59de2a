// @process vault-watcher
// @seconds 35

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { loadConfig, startExchange } from '@venue/exchange';
import { type Address, type Hex, parseAddress, sessionApprovalMessage } from '@venue/protocol';
import {
  UnauthorizedError,
  VenueClient,
  type VenueError,
  type Wallet,
  walletFromPrivateKey,
} from '@venue/sdk';
import { encodeFunctionData, parseAbi } from 'viem';
import { serializeErc6492Signature } from 'viem/utils';
import { ContractWallets, HOSTILE_WAYS } from '../../test/contract-wallets.ts';
import { dieAt } from '../../test/kills.ts';
import { type Json, startRpcProxy } from '../../test/rpc-proxy.ts';
import { EXCHANGE_ENV, eventually, startWorld, type World } from '../../test/world.ts';
import { testStablecoinAbi, venueVaultAbi } from '../contract/abi.ts';

const FEED_TOKEN = EXCHANGE_ENV.VENUE_FEED_TOKEN!;
const DOLLAR = 1_000_000n;
const REFUSED = /the contract does not accept this signature/;

describe('CUS-19: contract wallets', () => {
  let world: World;
  let wallets: ContractWallets;
  let stop: (() => Promise<unknown>) | undefined;

  before(async () => {
    world = await startWorld();
    wallets = await ContractWallets.on(world);
  });
  afterEach(async () => {
    await stop?.();
    stop = undefined;
  });
  after(() => world.stop());

  function attest(changes: Parameters<World['attest']>[0] = {}) {
    const daemon = world.attest(changes);
    stop = () => daemon.stop();
    return daemon;
  }

  const venueOf = () => new VenueClient({ url: world.exchange.url });
  const owner = (index: number) => world.chain.accounts[index]!;

  /** Posts an approval as the SDK does, without waiting for its answer. */
  async function park(wallet: Wallet, changes: { address?: string; sessionKey?: string } = {}) {
    const { address = wallet.address, sessionKey = owner(20).address } = changes;
    const account = parseAddress(address)!;
    const expiresAt = Date.now() + 3_600_000;
    const terms = { account, sessionKey: parseAddress(sessionKey)!, expiresAtMs: expiresAt };
    const signature = await wallet.signMessage({ message: sessionApprovalMessage(terms) });
    return post({ address, sessionKey, expiresAt, signature });
  }

  async function post(body: object): Promise<{ status: number; body: Json }> {
    const response = await fetch(`${world.exchange.url}/v1/auth/session/contract`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  async function answered(id: number) {
    await eventually(
      `an answer to ${id}`,
      async () => (await world.venue.auth.parked(id)).state !== 'parked',
    );
    return world.venue.auth.parked(id);
  }

  async function fund(
    wallet: { address: Address; execute(to: Address, data: Hex): Promise<Hex> },
    micros: bigint,
  ) {
    const token = { abi: testStablecoinAbi } as const;
    const mint = { ...token, address: world.token, functionName: 'mint' } as const;
    await world.mined(
      await world.chain.wallet(world.operator).writeContract({ ...mint, args: [wallet.address, micros] }),
    );
    const allow = encodeFunctionData({ ...token, functionName: 'approve', args: [world.vault, micros] });
    await wallet.execute(world.token, allow);
    const deposit = { abi: venueVaultAbi, functionName: 'deposit' } as const;
    await wallet.execute(world.vault, encodeFunctionData({ ...deposit, args: [micros] }));
    await world.confirm();
  }

  test('a wallet of two owners approves, deposits, trades, withdraws, claims and revokes', async () => {
    const safe = await wallets.twoOwner(owner(5), owner(6));
    await world.confirm();
    const venue = venueOf();
    attest();
    const session = await venue.auth.approveSessionByContract(safe);
    const watcher = world.watch();
    await fund(safe, 500n * DOLLAR);
    await eventually('the deposit is credited', async () => (await venue.account.me()).cash === 500);
    await watcher.stop();

    await venue.feed(FEED_TOKEN).prints([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    const seriesOf = async () => (await venue.market.series('BTC'))[0]?.seriesId;
    await eventually('series are listed', async () => (await seriesOf()) !== undefined);
    const order = await venue.orders.place({
      seriesId: (await seriesOf())!,
      side: 'buy',
      qty: 1,
      price: 0.01,
    });
    assert.equal(order.status, 'rested');

    await venue.withdrawals.request(100);
    const [payout] = await Array.fromAsync(world.custody.payouts({ state: 'requested' }));
    assert.equal(payout!.address, safe.address);
    const { attestation, signature } = payout!.approval!;
    assert.deepEqual(
      [attestation!.chainId, signature],
      [world.chain.chainId, await approvalOf(safe, session)],
    );
    assert.equal(
      (await world.chain.client.getBlock({ blockNumber: BigInt(attestation!.blockNumber) })).hash,
      attestation!.blockHash,
    );

    const batcher = world.pay();
    await eventually('it is proposed', async () => (await world.committed()).length === 1);
    await world.confirm();
    await eventually('it is noted', async () => (await venue.withdrawals.list())[0]?.state === 'committed');
    await batcher.stop();
    const claim = encodeFunctionData({ abi: venueVaultAbi, functionName: 'claim' });
    await safe.execute(world.vault, claim);
    const held = { address: world.token, abi: testStablecoinAbi, functionName: 'balanceOf' } as const;
    assert.equal(await world.chain.client.readContract({ ...held, args: [safe.address] }), 100n * DOLLAR);

    await venue.auth.revokeSessionByContract(safe, session.sessionKey);
    await assert.rejects(venue.orders.cancel(), /unknown or revoked session key/);
    assert.deepEqual(await venue.auth.sessions(safe.address), []);
  });

  async function approvalOf(
    wallet: Wallet,
    session: { account: Address; sessionKey: Address; expiresAtMs: number },
  ) {
    return wallet.signMessage({ message: sessionApprovalMessage(session) });
  }

  test('a 4337 account approves; its key gets tokens, and the key of a stranger does not', async () => {
    const account = await wallets.account(owner(7));
    await world.confirm();
    attest();
    const venue = venueOf();
    await venue.auth.approveSessionByContract(account);
    await venue.auth.renew();
    assert.equal((await venue.account.me()).address, account.address);
    const stranger = { ...account, signMessage: owner(8).signMessage };
    await assert.rejects(venueOf().auth.signIn(stranger), /bad signature/);
    // The owner's own key is no session key of the account.
    await assert.rejects(
      venueOf().auth.signIn({ ...account, signMessage: owner(7).signMessage }),
      UnauthorizedError,
    );
  });

  for (const [what, make] of [
    ['a 4337 account', () => wallets.undeployedAccount(owner(9), 1)],
    ['a wallet of two owners', () => wallets.undeployedTwoOwner(owner(9), owner(10), 2)],
  ] as const)
    test(`${what} that is not deployed yet approves, and goes on once it is`, async () => {
      const wallet = make();
      attest();
      const venue = venueOf();
      await venue.auth.approveSessionByContract(wallet);
      assert.equal((await venue.account.me()).address, wallet.address);
      await wallet.deploy();
      await world.confirm();
      await venueOf().auth.approveSessionByContract(wallet.inner);
      // A wrapped signature of a wallet that is there is asked about without its wrapping.
      await venueOf().auth.approveSessionByContract(wallet);
    });

  test('a key, a wallet that is nowhere, and a wrapping of nothing are refused', async () => {
    attest();
    const nobody = /there is no contract at this address/;
    await assert.rejects(venueOf().auth.approveSessionByContract(owner(11)), nobody);
    const missing = wallets.undeployedAccount(owner(11), 3);
    await assert.rejects(venueOf().auth.approveSessionByContract(missing.inner), nobody);
    const elsewhere = { ...missing, address: owner(12).address };
    await assert.rejects(venueOf().auth.approveSessionByContract(elsewhere), /the contract failed/);
  });

  test('a signature of one owner, of another text or of another wallet is refused', async () => {
    const safe = await wallets.twoOwner(owner(5), owner(6));
    const other = await wallets.twoOwner(owner(5), owner(6));
    await world.confirm();
    attest();
    const one = { ...safe, signMessage: owner(5).signMessage };
    await assert.rejects(venueOf().auth.approveSessionByContract(one), REFUSED);
    const moved = { ...safe, signMessage: other.signMessage };
    await assert.rejects(venueOf().auth.approveSessionByContract(moved), REFUSED);
    const anotherText = { ...safe, signMessage: () => safe.signMessage({ message: 'hello' }) };
    await assert.rejects(venueOf().auth.approveSessionByContract(anotherText), REFUSED);
  });

  test('contracts that burn all gas, revert, say more, less or something else are refused, and hold nobody up', async () => {
    const parked = new Map<string, number>();
    for (const way of HOSTILE_WAYS) parked.set(way, (await park(await wallets.hostile(way))).body.id);
    const account = await wallets.account(owner(13));
    await world.confirm();
    attest();
    await venueOf().auth.approveSessionByContract(account);
    const reasons = new Map<string, string | null>();
    for (const [way, id] of parked) reasons.set(way, (await answered(id)).reason);
    assert.match(reasons.get('BurnsGas')!, /the contract failed/);
    assert.match(reasons.get('Reverts')!, /the contract failed/);
    for (const way of ['SaysMore', 'SaysLess', 'SaysYes', 'Floods', 'IsOpened'])
      assert.match(reasons.get(way)!, REFUSED, way);
  });

  test('a wrapping runs no call before a contract that is there is asked', async () => {
    const opened = await wallets.hostile('IsOpened');
    await world.confirm();
    const address = opened.address as Address;
    const data = encodeFunctionData({ abi: parseAbi(['function open()']), functionName: 'open' });
    const signMessage = async () => serializeErc6492Signature({ address, data, signature: '0x' });
    attest();
    await assert.rejects(venueOf().auth.approveSessionByContract({ address, signMessage }), REFUSED);
    await world.mined(await world.chain.wallet(owner(5)).sendTransaction({ to: address, data }));
    await world.confirm();
    await venueOf().auth.approveSessionByContract({ address, signMessage });
  });

  test('an owner who was removed approves nothing at once, and one who was added waits for the block to count', async () => {
    const safe = await wallets.twoOwner(owner(5), owner(6));
    await world.confirm();
    const removed = (await park(safe)).body.id;
    await wallets.replaceOwners(safe.address, owner(5), [owner(14), owner(15)]);
    const { lines } = attest();
    const refused = await answered(removed);
    assert.deepEqual(
      [refused.state, refused.reason],
      ['refused', 'the contract does not accept this signature'],
    );
    const newcomer = { ...safe, signMessage: wallets.signTwo(safe.address, owner(14), owner(15)) };
    const { body } = await park(newcomer);
    await eventually('it waits', () =>
      lines.some((line) => line.includes(`approve ${body.id} of ${safe.address} waits`)),
    );
    assert.equal((await world.venue.auth.parked(body.id)).state, 'parked');
    await world.confirm();
    assert.equal((await answered(body.id)).state, 'approved');
  });

  test('a server that lies alone decides nothing: what is parked stays, and an alarm says who disagrees', async () => {
    const safe = await wallets.twoOwner(owner(5), owner(6));
    await world.confirm();
    const proxy = await startRpcProxy(world.chain.rpcUrl);
    const two = {
      VENUE_RPC_URL: '',
      VENUE_RPC_SINGLE: '',
      VENUE_RPC_URLS: `${world.chain.rpcUrl},${proxy.url}`,
    };
    proxy.tamper = (call) => (call.method === 'eth_call' ? `0x1626ba7e${'0'.repeat(56)}` : call.forward());
    const { lines } = attest(two);
    const thief = await park({ ...safe, signMessage: owner(16).signMessage });
    await eventually('an alarm', () =>
      lines.some((line) => /^ALARM: approve \d+ of .* disagree on a call/.test(line)),
    );
    assert.equal((await world.venue.auth.parked(thief.body.id)).state, 'parked');

    proxy.honest();
    assert.equal((await answered(thief.body.id)).state, 'refused');
    await venueOf().auth.approveSessionByContract(safe);
    await stop?.();
    await proxy.stop();
  });

  test('a stranger who fills the room of strangers pushes out nobody, and keeps no owner from revoking', async () => {
    const safe = await wallets.twoOwner(owner(5), owner(6));
    await world.confirm();
    const daemon = attest();
    const { sessionKey } = await venueOf().auth.approveSessionByContract(safe);
    await daemon.stop();
    const first = await park(safe);
    assert.equal(first.status, 200);
    const junk = { sessionKey: owner(17).address, expiresAt: Date.now() + 60_000, signature: '0x00' };
    const refusals: number[] = [];
    for (let i = 0; i < 9; i++)
      refusals.push((await post({ ...junk, address: safe.address, signature: `0x0${i}` })).status);
    assert.deepEqual(
      refusals.filter((status) => status !== 200),
      [400, 400],
    );
    const results: number[] = [];
    for (let i = 0; i < 300; i++)
      results.push((await post({ ...junk, address: `0x${(i + 1).toString(16).padStart(40, '0')}` })).status);
    assert.deepEqual(new Set(results), new Set([200, 400]));
    const revoked = venueOf().auth.revokeSessionByContract(safe, sessionKey);
    await eventually(
      'the revocation is parked',
      async () => (await world.custody.parked())[0]?.act === 'revoke',
    );
    assert.equal((await world.custody.parked()).length, 256 + 8 + 1);
    attest();
    assert.equal((await revoked).state, 'approved');
    assert.equal((await answered(first.body.id)).state, 'approved');
    await eventually('the lot is empty', async () => (await world.custody.parked()).length === 0);
    await venueOf().auth.approveSessionByContract(safe);
  });

  test('a session key that a key approved signs in nowhere', async () => {
    const trader = owner(21);
    const { privateKey } = await venueOf().auth.approveSession(trader);
    const { signMessage } = walletFromPrivateKey(privateKey);
    await assert.rejects(venueOf().auth.signIn({ address: trader.address, signMessage }), /bad signature/);
  });

  test('too long a signature, a bad expiry and an account with a key of its own are refused at once', async () => {
    const trader = await world.trader(18);
    const terms = { address: trader.address, sessionKey: owner(17).address, expiresAt: Date.now() + 60_000 };
    const own = await post({ ...terms, signature: '0x' });
    assert.deepEqual([own.status, own.body.error], [409, 'the key of this account approves its sessions']);
    const other = { ...terms, address: owner(19).address };
    assert.equal((await post({ ...other, signature: `0x${'00'.repeat(4_097)}` })).status, 400);
    assert.equal((await post({ ...other, signature: '0x', expiresAt: 1 })).status, 401);
    await assert.rejects(world.venue.auth.parked(999_999), (error) => (error as VenueError).status === 404);
  });

  test('a kill of the attestor and a restart of the exchange in between change nothing', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-attest-'));
    const env = { ...EXCHANGE_ENV, VENUE_LOG: `sqlite:${join(folder, 'venue.db')}` };
    const config = loadConfig(env);
    let exchange = await startExchange(config);
    t.after(async () => {
      await exchange.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const safe = await wallets.twoOwner(owner(5), owner(6));
    await world.confirm();
    const venue = new VenueClient({ url: exchange.url });
    const approval = venue.auth.approveSessionByContract(safe).catch((error: Error) => error);
    const custody = () => new VenueClient({ url: exchange.url }).custody(EXCHANGE_ENV.VENUE_OPERATOR_TOKEN!);
    await eventually('it is parked', async () => (await custody().parked()).length === 1);
    const [row] = await custody().parked();
    await exchange.stop();
    await approval;
    exchange = await startExchange(loadConfig(env));
    assert.deepEqual(await custody().parked(), [row]);

    await dieAt(world, 'attestor', ['judged', 1], { changes: { VENUE_URL: exchange.url } });
    assert.deepEqual(await custody().parked(), [row]);

    attest({ VENUE_URL: exchange.url });
    const after = new VenueClient({ url: exchange.url });
    await eventually('it is approved', async () => (await after.auth.parked(row!.id)).state === 'approved');
    await stop?.();
    await exchange.stop();
    exchange = await startExchange(loadConfig(env));
    const again = new VenueClient({ url: exchange.url });
    assert.equal((await again.auth.parked(row!.id)).state, 'approved');
    assert.equal((await again.auth.sessions(safe.address))[0]?.sessionKey, row!.sessionKey);
  });

  test('an attestor of another chain does not start', async () => {
    const error = await world.attest({ VENUE_CHAIN_ID: '5' }).dies();
    assert.match(error.message, /^VENUE_CHAIN_ID is 5, but the RPC at .* is of chain 31337$/);
  });
});
