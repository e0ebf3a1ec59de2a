import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, loadConfig, startExchange } from '@venue/exchange';
import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { testStablecoinAbi, type VaultAddresses, venueVaultAbi } from '@venue/vault';
import { encodeFunctionData, keccak256, numberToHex, toHex } from 'viem';
import { tamper } from '../../exchange/test/signed-log.ts';
import { type OpenSession, openSession, Venue } from '../../exchange/test/support.ts';
import { deployVault } from '../../vault/src/deploy.ts';
import { type GatePayout, gateBatchId, proposeCall } from '../../vault/src/gate/calls.ts';
import type { Gate } from '../../vault/src/gate/gate.ts';
import { openGate } from '../../vault/src/gate/open.ts';
import { deployTestStablecoin } from '../../vault/src/test-stablecoin.ts';
import { accountAt, type LocalAccount, type LocalChain, startChain } from '../../vault/test/chain.ts';
import { GATE, guardians, proposers } from '../../vault/test/gate.ts';
import { EXCHANGE_ENV, OPERATOR_TOKEN } from '../../vault/test/world.ts';
import { loadCheckerConfig } from './config.ts';
import { runChecker } from './run.ts';

const USD = 1_000_000n;
const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
const deployer = accountAt(0);
const thief = parseAddress(accountAt(9).address)!;
const LIMIT_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'venue-checker-'));
const copy = `sqlite:${join(folder, 'log.db')}`;
const file = join(folder, 'vault.json');
let chain: LocalChain;
let exchange: Exchange;
let venue: Venue;
let addresses: VaultAddresses;
let gate: Gate;
let alice: OpenSession;
let batches = 0;
let epoch = 0;

before(async () => {
  chain = await startChain();
  const token = await deployTestStablecoin({ rpcUrl: chain.rpcUrl, deployerKey: deployer.privateKey });
  const deployment = { rpcUrl: chain.rpcUrl, token, failsafe: accountAt(2).address, out: file };
  const roles = { operator: { ...GATE, vetoes: 1 }, deployerKey: deployer.privateKey };
  addresses = (await deployVault({ ...deployment, ...roles, dryRun: false, log: () => {} })).addresses!;
  gate = (await openGate(file, [chain.rpcUrl])).gate;
  exchange = await startExchange(loadConfig({ ...EXCHANGE_ENV, VENUE_LOG: copy }));
  venue = new Venue(exchange.url);
  alice = await openSession(venue, accountAt(1));
  await paidIn(10_000n);
});
after(async () => {
  await exchange.stop();
  await chain.stop();
  rmSync(folder, { recursive: true });
});

async function act(to: Hex, data: Hex, by: LocalAccount): Promise<void> {
  const hash = await chain.wallet(by).sendTransaction({ to, data });
  await chain.client.waitForTransactionReceipt({ hash });
}

/** Deposits on chain, and reports the log as a watcher would. */
async function paidIn(usd: bigint, by = accountAt(1), place: object = {}): Promise<void> {
  const vault = addresses.vault;
  const token = addresses.token;
  const amount = usd * USD;
  const call = (functionName: 'mint' | 'approve', args: readonly [Address, bigint]) =>
    encodeFunctionData({ abi: testStablecoinAbi, functionName, args });
  await act(token, call('mint', [by.address as Address, amount]), deployer);
  await act(token, call('approve', [parseAddress(vault)!, amount]), by);
  await act(vault, encodeFunctionData({ abi: venueVaultAbi, functionName: 'deposit', args: [amount] }), by);
  const [log] = await chain.client.getLogs({ address: vault, fromBlock: 'latest' });
  await chain.client.mine({ blocks: 1 });
  const { transactionHash: txHash, logIndex, blockNumber, blockHash } = log!;
  await report(Number(amount), {
    ...place,
    address: by.address,
    txHash: txHash!,
    logIndex: logIndex!,
    blockNumber: Number(blockNumber),
    blockHash: blockHash!,
  });
}

async function report(amount: number, log: object): Promise<void> {
  const { status } = await venue.post('/v1/deposit', { address: alice.account, amount, ...log }, OPERATOR);
  assert.equal(status, 200);
}

async function withdraw(usd: number, by = alice): Promise<GatePayout> {
  const { status, body } = await venue.post('/v1/withdraw', await by.withdraw(usd));
  assert.equal(status, 200, JSON.stringify(body));
  const id = BigInt(epoch) * 2n ** 40n + BigInt(body.id);
  return { id, account: parseAddress(by.account)!, amount: BigInt(usd) * USD };
}

/** What an operator does, or somebody with the operator's tokens. */
async function operate(path: string, body: object): Promise<void> {
  const answer = await venue.post(`/v1/operator/${path}`, { reason: 'why not', ...body }, OPERATOR);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

async function bind(terms: object): Promise<void> {
  const past = { paidBeforeUsd: 0, depositedBeforeUsd: 0, funder: null };
  const headers = {
    'x-settle-token-1': EXCHANGE_ENV.VENUE_SETTLE_TOKEN_1!,
    'x-settle-token-2': EXCHANGE_ENV.VENUE_SETTLE_TOKEN_2!,
  };
  const body = { chainId: chain.chainId, vault: addresses.vault, ...past, ...terms };
  const answer = await venue.post('/v1/operator/vault', body, { headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

async function propose(...payouts: GatePayout[]) {
  const batchId = numberToHex(++batches, { size: 32 });
  await act(gate.address, proposeCall(batchId, payouts), proposers[0]);
  return gateBatchId(batchId, payouts);
}

async function later(seconds: number): Promise<void> {
  await chain.client.increaseTime({ seconds });
  await chain.client.mine({ blocks: 1 });
}

/** Runs a checker while the work is done. */
async function checked(work: (lines: string[]) => Promise<void>, log = copy): Promise<void> {
  const stop = new AbortController();
  const lines: string[] = [];
  const config = loadCheckerConfig({
    VENUE_CHECKER_LOG: log,
    VENUE_VAULT_DEPLOYMENT: file,
    VENUE_RPC_URL: chain.rpcUrl,
    VENUE_RPC_SINGLE: '1',
    VENUE_CONFIRMATIONS: '1',
    VENUE_RPC_POLL_MS: '20',
    VENUE_GUARDIAN_KEY: guardians[0].privateKey,
  });
  const ended = runChecker({ config, signal: stop.signal, log: (line) => lines.push(line) });
  try {
    await Promise.race([work(lines), ended.then(() => assert.fail('it ended'))]);
  } finally {
    stop.abort();
    await ended;
  }
}

async function until(holds: () => Promise<boolean> | boolean, lines: readonly string[]): Promise<void> {
  const from = performance.now();
  while (!(await holds())) {
    assert.ok(performance.now() - from < LIMIT_MS, `not within a minute:\n${lines.join('\n')}`);
    await sleep(20);
  }
}

const says = (lines: readonly string[], text: RegExp) => () => lines.some((line) => text.test(line));

describe('CUS-18 the checker', () => {
  test('lets through what follows from the log, and vetoes another account, amount or number', async () => {
    const payout = await withdraw(900);
    await checked(async (lines) => {
      const right = await propose(payout);
      await until(says(lines, new RegExp(`batch ${right} follows: 1 payouts, 900`)), lines);
      const stolen = await propose({ ...payout, account: thief });
      await until(() => gate.isVetoed(stolen), lines);
      assert.ok(says(lines, /ALARM: .* is owed to 0x.*, not to 0x/)(), lines.join('\n'));
      const more = await propose({ ...payout, amount: payout.amount + 1n });
      await until(() => gate.isVetoed(more), lines);
      const twoInOne = await propose(payout, { ...payout, id: 77n });
      assert.equal(await gate.isVetoed(twoInOne), false, 'the copy may lag behind');
      await later(GATE.shortDelaySeconds / 2 + 1);
      await until(() => gate.isVetoed(twoInOne), lines);
      assert.equal(await gate.isVetoed(right), false);
    });
  });

  test('started again, does not vote twice, and pauses the gate for what it saw too late', async () => {
    await checked(async (lines) => {
      await until(says(lines, /follows: 1 payouts, 900/), lines);
      const payout = await withdraw(50);
      const taken = await propose({ ...payout, account: thief });
      const told = new RegExp(`ALARM: batch ${taken} of 50.00 is committed and does not follow, pausing`);
      await until(says(lines, told), lines);
      const { timestamp } = await chain.client.getBlock();
      await until(async () => (await gate.pausedUntil()) > Number(timestamp), lines);
      assert.deepEqual(
        lines.filter((line) => line.includes('vetoing')),
        [],
      );
    });
  });

  test('vetoes everything while the log credits what the chain does not show', async () => {
    await later(2 * GATE.longDelaySeconds);
    const txHash = keccak256(toHex('invented'));
    await checked(async (lines) => {
      await report(500_000_000, { txHash, logIndex: 0, blockNumber: 1, blockHash: txHash });
      await until(
        says(lines, /ALARM: the log credits deposits of 500.00 that the chain does not show/),
        lines,
      );
      const id = await propose(await withdraw(300));
      await until(() => gate.isVetoed(id), lines);
      const reason = 'no server shows this log';
      await venue.post('/v1/operator/deposits/hold', { txHash, logIndex: 0, reason }, OPERATOR);
      await until(says(lines, /going on: the log and the deposits agree again/), lines);
      const next = await propose(await withdraw(200));
      await until(says(lines, new RegExp(`batch ${next} follows`)), lines);
    });
  });

  test('vetoes what it let through, once the deposit behind it turns out to be invented', async () => {
    const txHash = keccak256(toHex('not final'));
    await checked(async (lines) => {
      // The block of the proposal, which does not count yet.
      const blockNumber = Number(await chain.client.getBlockNumber()) + 1;
      await report(400_000_000, { txHash, logIndex: 0, blockNumber, blockHash: txHash });
      const id = await propose(await withdraw(300));
      await until(says(lines, new RegExp(`batch ${id} follows`)), lines);
      await chain.client.mine({ blocks: 1 });
      await until(() => gate.isVetoed(id), lines);
      await operate('deposits/hold', { txHash, logIndex: 0 });
    });
  });

  test('vetoes everything while the log gives back a payout that the vault has committed', async () => {
    await later(2 * GATE.longDelaySeconds);
    const payout = await withdraw(90);
    await propose(payout);
    await chain.client.mine({ blocks: 1 });
    await checked(async (lines) => {
      await until(says(lines, /follows: 1 payouts, 90/), lines);
      await operate('payouts/void', { id: Number(payout.id) });
      const again = await propose(await withdraw(350));
      await until(says(lines, new RegExp(`ALARM: the log gives back payout ${payout.id}`)), lines);
      await until(() => gate.isVetoed(again), lines);
      epoch += 1;
      await operate('epoch', { epoch });
      const lost = { payoutId: Number(payout.id), address: payout.account, amountUsd: 90 };
      await operate('payouts/adopt', { ...lost, txHash: keccak256(toHex('commit')) });
      await until(says(lines, /going on/), lines);
    });
  });

  test('CUS-1: believes the first binding to its vault, and no funder that takes what others paid in', async () => {
    const place = { chainId: chain.chainId, vault: addresses.vault };
    const txHash = keccak256(toHex('between two bindings'));
    const funder = accountAt(2);
    await checked(async (lines) => {
      await bind({ funder: funder.address });
      await paidIn(1_000n, funder, place);
      await bind({ funder: thief });
      const stolen = await propose(await withdraw(400, await openSession(venue, accountAt(9))));
      await until(says(lines, new RegExp(`batch ${stolen} .* more out of the house than ${thief}`)), lines);
      await report(700_000_000, { ...place, txHash, logIndex: 0, blockNumber: 1, blockHash: txHash });
      await until(says(lines, /ALARM: the log credits deposits of 700.00/), lines);
      const { body } = await venue.get('/v1/reserves');
      const paidBeforeUsd = body.committedWithdrawalsUsd;
      const past = { paidBeforeUsd, depositedBeforeUsd: body.depositedUsd };
      await bind({ vault: `0x${'ee'.repeat(20)}`, ...past });
      await bind(past);
      const id = await propose(await withdraw(310));
      await until(() => gate.isVetoed(id), lines);
      await operate('deposits/hold', { txHash, logIndex: 0 });
    });
  });

  test('vetoes everything while its copy of the log is not the one that was signed and hashed', async () => {
    await later(2 * GATE.longDelaySeconds);
    const payout = await withdraw(250);
    const path = join(folder, 'falsified.db');
    const db = new DatabaseSync(copy.slice('sqlite:'.length));
    db.prepare('VACUUM INTO ?').run(path);
    db.close();
    const change = `UPDATE log SET body = replace(body, ?, ?) WHERE kind = 'withdraw'`;
    tamper(path, change, '"amountMicros":250000000', '"amountMicros":950000000');
    await checked(async (lines) => {
      await until(says(lines, /ALARM: the copy of the log is not proven: .* is damaged/), lines);
      const id = await propose(payout);
      await until(() => gate.isVetoed(id), lines);
    }, `sqlite:${path}`);
  });

  /** Parks an approval, which somebody with the attestor's secret attests at the newest block. */
  async function attested(address: Hex, owner: number): Promise<void> {
    const terms = {
      address,
      sessionKey: accountAt(owner).address,
      expiresAt: Date.now() + 3_600_000,
      signature: '0x',
    };
    const { body: parked } = await venue.post('/v1/auth/session/contract', terms);
    const { number, hash } = await chain.client.getBlock();
    const block = { chainId: chain.chainId, blockNumber: Number(number), blockHash: hash };
    const answer = { id: parked.id, verdict: 'valid', ...block };
    const { status } = await venue.post('/v1/operator/parked/attest', answer, OPERATOR);
    assert.equal(status, 200);
  }

  test('CUS-19: asks contract wallets itself, and vetoes everything once one is said to have approved what it did not', async () => {
    const wallet = `0x${'aa'.repeat(20)}` as const;
    // Returns the magic word of ERC-1271 whatever it is asked.
    const bytecode = `0x7f1626ba7e${'00'.repeat(28)}5f5260205ff3` as const;
    await chain.client.setCode({ address: wallet, bytecode });
    await later(2 * GATE.longDelaySeconds);
    await attested(wallet, 10);
    await checked(async (lines) => {
      const right = await propose(await withdraw(100));
      await until(says(lines, new RegExp(`batch ${right} follows`)), lines);
      await attested(`0x${'bb'.repeat(20)}`, 11);
      await until(
        says(lines, /ALARM: the log has an approval by 0xbb.* that the contract does not accept/),
        lines,
      );
      const id = await propose(await withdraw(110));
      await until(() => gate.isVetoed(id), lines);
    });
  });

  test('does not start without the key of a guardian', async () => {
    const config = loadCheckerConfig({
      VENUE_CHECKER_LOG: copy,
      VENUE_VAULT_DEPLOYMENT: file,
      VENUE_RPC_URL: chain.rpcUrl,
      VENUE_RPC_SINGLE: '1',
      VENUE_GUARDIAN_KEY: proposers[0].privateKey,
    });
    await assert.rejects(
      runChecker({ config, signal: new AbortController().signal, log: () => {} }),
      /is not that of a guardian of the gate/,
    );
  });
});
