/**
 * How many entries and signatures a second does `venue verify` process, compared with a log of the same writes without
 * signatures, and how fast is an export?
 *
 * 64 traders place and cancel orders around one price in eight series, each write signed by the trader's session key; a
 * real log also has quotes and prices, which cost less. The logs are files on this machine's disk, and every run checks
 * that the log was verified.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { exportLog, type VerifyReport, verifyLog } from '@venue/audit';
import { type Command, encodeCommand } from '@venue/engine';
import { loadConfig } from '@venue/exchange';
import { openSqliteLog } from '@venue/log';
import {
  type Address,
  cancelEnvelope,
  orderEnvelope,
  sessionApprovalMessage,
  toMicros,
} from '@venue/protocol';
import { stampOf } from '@venue/replay';
import { type Key, keyOf } from '../../packages/exchange/sim/wallets.ts';

const WRITES = 200_000;
const TRADERS = 64;
const BATCH = 50;
const START_MS = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;
const EXPIRY_TS = (START_MS + 5 * DAY_MS) / 1_000;
const UNIT = 1_000_000;

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'venue-bench-verify-'));
  try {
    for (const isSigned of [true, false]) await measure(join(folder, `${isSigned}.db`), isSigned);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(path: string, isSigned: boolean): Promise<void> {
  await write(path, isSigned);
  const log = `sqlite:${path}`;
  console.log(`${WRITES} writes, ${isSigned ? 'signed' : 'unsigned'}, ${mib(path)} MiB`);
  // One thread, as a node on two cores has, and one per core.
  for (const workers of isSigned ? [1, 2] : [1]) {
    await timed(`  verify, ${workers} verification threads`, () => verifyLog({ log, workers }));
  }
  const out = `${path}.zst`;
  const startedMs = performance.now();
  const { fileBytes, toSeq } = await exportLog({ log, out });
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(`  export: ${perSecond(toSeq, seconds)} entries/s, ${(fileBytes / 2 ** 20).toFixed(1)} MiB`);
  await timed('  verify from the archive', () => verifyLog({ archives: [out] }));
}

async function timed(what: string, verify: () => Promise<VerifyReport>): Promise<void> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const { facts } = await verify();
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - startedMs) / 1_000;
  assert.equal(facts.fault, null);
  const { toSeq, signatures } = facts.entries!;
  const checked = Object.values(signatures).reduce((sum, count) => sum + count, 0);
  const rates = `${perSecond(toSeq, seconds)} entries/s, ${perSecond(checked, seconds)} signatures/s`;
  const cpuSeconds = (user + system) / 1_000_000;
  console.log(`${what}: ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of processor), ${rates}`);
}

const perSecond = (count: number, seconds: number): number => Math.round(count / seconds);
const mib = (path: string): string => (statSync(path).size / 2 ** 20).toFixed(1);

interface Trader {
  readonly address: Address;
  readonly wallet: Key;
  readonly session: Key;
  readonly sessionKey: Address;
}

async function write(path: string, isSigned: boolean): Promise<void> {
  let nowMs = START_MS;
  const log = await openSqliteLog({ path, now: () => nowMs });
  const append = (commands: readonly Command[]) => {
    nowMs += commands.length;
    return log.append(commands.map((command) => ({ kind: command.kind, body: encodeCommand(command) })));
  };
  const traders = Array.from({ length: TRADERS }, (_, i) => traderOf(i));
  const { parameters } = loadConfig({ VENUE_SYMBOLS: 'BTC:crypto' });
  await log.writeStamp(stampOf(parameters));
  await append([{ kind: 'configure', parameters }]);
  const price = (source: string) => ({ symbol: 'BTC', source, priceMicros: 100_000 * UNIT });
  await append([{ kind: 'prints', prints: [price('a'), price('b')] }]);
  await append([{ kind: 'maintain', expiries: [EXPIRY_TS] }]);
  await append(traders.map(approval));
  for (let i = 0; i < WRITES; i += BATCH) {
    // Waits only for the disk, so batches are as large as under load.
    const writes = Array.from({ length: BATCH }, (_, k) => writeOf(traders, i + k, nowMs + k, isSigned));
    await append(writes);
  }
  await log.close();
}

function traderOf(i: number): Trader {
  const [wallet, session] = [numberedKey(2 * i + 1), numberedKey(2 * i + 2)];
  return { address: wallet.address, wallet, session, sessionKey: session.address };
}

function numberedKey(number: number): Key {
  return keyOf(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'));
}

function approval({ address, wallet, sessionKey }: Trader): Command {
  const expiresAt = START_MS + DAY_MS;
  const text = sessionApprovalMessage({ account: address, sessionKey, expiresAtMs: expiresAt });
  return { kind: 'approve', address, sessionKey, expiresAt, signature: wallet.sign(text) };
}

/** Three orders, which cross every other time, then a cancel of all. */
function writeOf(traders: readonly Trader[], i: number, nonce: number, isSigned: boolean): Command {
  const { address: account, session, sessionKey } = traders[i % TRADERS]!;
  const prove = (text: string) =>
    isSigned ? { authorization: { sessionKey, nonce, signature: session.sign(text) } } : {};
  if (Math.floor(i / TRADERS) % 4 === 3) {
    return {
      kind: 'cancel',
      account,
      ...prove(cancelEnvelope({ account, symbols: 'all', nonce })),
      symbols: null,
    };
  }
  const terms = {
    seriesId: `BTC-${EXPIRY_TS}-C-${100_000 + 1_000 * (i % 8)}`,
    side: i % 3 === 0 ? ('sell' as const) : ('buy' as const),
    qtyMicros: toMicros(10_000 + (i % 7) * 1_000),
    priceMicros: toMicros((95 + (i % 11)) * UNIT),
  };
  return { kind: 'order', account, ...prove(orderEnvelope({ account, nonce, ...terms })), ...terms };
}
