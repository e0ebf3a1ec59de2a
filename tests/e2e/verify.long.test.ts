/**
 * A venue that traded is verified from its log, from an export of it, and from an archive with the remaining log, by
 * real processes.
 */

// @seconds 21

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import type { VerifyReport } from '@venue/audit';
import { openSqliteLog } from '@venue/log';
import type { Hex } from '@venue/protocol';
import { VenueClient, type Wallet, walletFromPrivateKey } from '@venue/sdk';
import { type Ended, runInProcess } from '../../packages/cli/test/in-process.ts';
import { eventually, Launched, newestSnapshot } from './launched.ts';

const FEED_TOKEN = 'feed-secret-feed-secret-feed-secret';
const START_LINE = /exchange listening on (\S+)/;
const SPOT = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'venue-verify-e2e-'));
const path = join(folder, 'venue.db');
const log = `sqlite:${path}`;
const env = {
  VENUE_PORT: '0',
  VENUE_LOG: log,
  VENUE_SYMBOLS: 'BTC:crypto',
  VENUE_FEED_TOKEN: FEED_TOKEN,
  VENUE_LOG_LEVEL: 'warn',
  VENUE_MAINTENANCE_MS: '500',
};
const [alice, bob] = [1, 2].map((n) => walletFromPrivateKey(`0x${String(n).padStart(64, '0')}` as Hex)) as [
  Wallet,
  Wallet,
];
let launched: Launched | undefined;

after(() => {
  launched?.end();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<VenueClient> {
  launched = new Launched(['exchange'], { env });
  const [, url] = await launched.says(START_LINE);
  return new VenueClient({ url: url! });
}

async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  launched!.process.kill(signal);
  assert.equal(await launched!.exits(), signal === 'SIGTERM' ? 0 : null);
}

/** Stops it, if need be again: a stop on a busy machine may leave no snapshot for want of time. */
async function stopWithSnapshot(): Promise<void> {
  const before = newestSnapshot(path);
  await stop('SIGTERM');
  for (let again = 0; again < 5 && newestSnapshot(path) === before; again++) {
    await start();
    await stop('SIGTERM');
  }
}

/** Two wallets with new session keys, a partly filled short sale, and cancelled orders. */
async function trade(market: VenueClient): Promise<void> {
  await market.feed(FEED_TOKEN).prints([{ symbol: 'BTC', source: 'a', price: SPOT }]);
  const seriesId = await eventually('a listing', async () => {
    const series = await market.market.series('BTC');
    return series.filter(({ right, strike }) => right === 'C' && strike === SPOT).at(-1)?.seriesId;
  });
  const [seller, buyer] = [new VenueClient({ url: market.url }), new VenueClient({ url: market.url })];
  await seller.auth.approveSession(alice);
  await buyer.auth.approveSession(bob);
  await seller.orders.setMargin(true);
  const asked = await seller.orders.place({ seriesId, side: 'sell', qty: 0.02, price: 900 });
  assert.equal(asked.status, 'rested');
  const bought = await buyer.orders.place({ seriesId, side: 'buy', qty: 0.01 });
  assert.equal(bought.status, 'filled');
  await buyer.orders.place({ seriesId, side: 'buy', qty: 1, price: 0.5 });
  await buyer.orders.cancel(['BTC']);
  await seller.orders.cancel();
}

const venue = (...words: string[]): Promise<Ended> => runInProcess(words, {});

async function verified(...words: string[]): Promise<VerifyReport> {
  const { code, stdout, stderr } = await venue('verify', '--json', ...words);
  assert.equal(code, 0, stderr + stdout);
  return JSON.parse(stdout);
}

const outPath = (name: string): string => join(folder, name);

test('anybody with its log, its export, or its archive can verify what a venue did', async (t) => {
  let known: VerifyReport;

  await t.test('beside the running node, and after it was killed', async () => {
    await trade(await start());
    const beside = await verified('--log', log);
    assert.deepEqual(beside.facts.entries!.unsigned, {});
    assert.ok(beside.facts.entries!.signatures.batch! >= 3);
    await stop('SIGKILL');
    const { code, stdout } = await venue('verify', '--log', log);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^signatures +\d+ checked: approve 2, batch 3, cancel 2, margin 1$/m);
    assert.match(stdout.trimEnd().split('\n').at(-1)!, /^verified: entries 1 to \d+$/);
    known = await verified('--log', log);
    assert.match(stdout, new RegExp(`^state digest +${known.facts.entries!.stateDigest}$`, 'm'));
    assert.match(stdout, new RegExp(`^report digest +${known.reportDigest}$`, 'm'));
  });

  await t.test('from an export alone, to the same state and report', async () => {
    const out = outPath('venue.zst');
    const { code, stdout } = await venue('export', '--log', log, '--out', out);
    assert.equal(code, 0);
    assert.match(stdout, /^exported entries 1 to \d+, chain head \d+:[0-9a-f]{64}, \d+ bytes to /);
    const alone = await verified('--archive', out);
    assert.equal(alone.facts.entries!.stateDigest, known.facts.entries!.stateDigest);
    assert.equal(alone.reportDigest, known.reportDigest);
    const text = zstdDecompressSync(readFileSync(out)).toString();
    assert.match(text, /"kind":"batch","body":\{"account":"0x/);
    const { toSeq, chainHead } = known.facts.entries!;
    await verified('--archive', out, '--head', `${toSeq}:${chainHead}`);
    const other = await venue('verify', '--archive', out, '--head', `${toSeq}:${'0'.repeat(64)}`);
    assert.equal(other.code, 1);
    assert.match(
      other.stdout,
      /^NOT verified: the chain head after entry \d+ is not the one that was noted/m,
    );
    const again = await venue('export', '--log', log, '--out', out);
    assert.deepEqual([again.code, again.stderr], [1, `venue: ${out} is there already; name another file\n`]);
  });

  await t.test('from an archive and the remaining log, after it traded on', async () => {
    for (let round = 0; round < 2; round++) {
      await trade(await start());
      const out = outPath(`refused-${round}.zst`);
      const refused = await venue('archive', '--log', log, '--out', out, '--keep', 'snapshot');
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^venue: .*venue\.db is in use by another process; stop that one.*\n$/);
      assert.equal(existsSync(out), false);
      await stopWithSnapshot();
    }
    known = await verified('--log', log);
    const out = outPath('old.zst');
    const { code, stdout, stderr } = await venue('archive', '--log', log, '--out', out, '--keep', 'snapshot');
    assert.equal(code, 0, stderr);
    const [, from] = /^archived entries 1 to \d+, .*; the log begins at entry (\d+) now$/m.exec(stdout)!;
    const both = await verified('--archive', out, '--log', log);
    assert.equal(both.reportDigest, known.reportDigest);

    const left = await venue('verify', '--log', log);
    assert.equal(left.code, 0);
    const last =
      /^verified: entries (\d+) to \d+; what came before was taken on trust from the snapshot of entry \d+$/;
    assert.ok(Number(last.exec(left.stdout.trimEnd().split('\n').at(-1)!)![1]) > Number(from));
  });

  await t.test('after the node continued on the remaining log', async () => {
    await trade(await start());
    await stop('SIGKILL');
    const { facts } = await verified('--archive', outPath('old.zst'), '--log', log);
    assert.ok(facts.entries!.toSeq > known.facts.entries!.toSeq);
    assert.equal(facts.entries!.fromSeq, 1);
    const to = String(known.facts.entries!.toSeq);
    const then = await verified('--archive', outPath('old.zst'), '--log', log, '--to', to);
    assert.equal(then.reportDigest, known.reportDigest);
  });

  await t.test('not after tampering: the entry is named, and the command fails', async () => {
    const { code, stdout } = await venue('verify', '--archive', outPath('old.zst'), outPath('venue.zst'));
    assert.equal(code, 1);
    assert.match(stdout, /^NOT verified: archive 2 begins at entry 1, where entry \d+ has to come$/m);
  });
});

test('an archive that is killed at any moment loses no entry', async () => {
  const path = outPath('large.db');
  const spec = `sqlite:${path}`;
  const entries = 30_000;
  await prepareLarge(path, entries);
  const whole = await verified('--log', spec);
  const out = outPath('large.zst');
  const isDrafted = () => readdirSync(folder).some((name) => name.startsWith('large.zst.'));
  let killed = 0;
  // Before it writes; while it writes; once the file has its name, while the log is being emptied.
  for (const isNow of [isDrafted, isDrafted, () => existsSync(out)]) {
    const archive = new Launched(['archive', '--log', spec, '--out', out, '--keep', '100'], { env: {} });
    launched = archive;
    const ended = archive.exits();
    while (!isNow() && archive.process.exitCode === null) await new Promise((next) => setImmediate(next));
    archive.process.kill('SIGKILL');
    killed += (await ended) === null ? 1 : 0;
    const archives = existsSync(out) ? ['--archive', out] : [];
    const now = await verified(...archives, '--log', spec);
    assert.equal(now.reportDigest, whole.reportDigest);
  }
  assert.ok(killed >= 2, 'the kills landed');
  assert.ok(existsSync(out));
});

/** Prices only, and two snapshots near the end. */
async function prepareLarge(path: string, entries: number): Promise<void> {
  const { apply, createState, encodeCommand, NO_EFFECTS } = await import('@venue/engine');
  const { loadConfig } = await import('@venue/exchange');
  const { snapshotOf } = await import('../../packages/exchange/src/snapshots/snapshots.ts');
  const { stampOf } = await import('@venue/replay');
  const state = createState();
  const store = await openSqliteLog({ path });
  const { parameters } = loadConfig({ VENUE_SYMBOLS: 'BTC:crypto' });
  await store.writeStamp(stampOf(parameters));
  const append = async (commands: Parameters<typeof encodeCommand>[0][]) => {
    const items = commands.map((command) => ({ kind: command.kind, body: encodeCommand(command) }));
    const { firstSeq, ts } = await store.append(items);
    for (const [i, command] of commands.entries())
      apply(state, { seq: firstSeq + i, ts, command }, NO_EFFECTS);
  };
  await append([{ kind: 'configure', parameters }]);
  const price = (n: number) => ({ symbol: 'BTC', source: 'a', priceMicros: SPOT * 1_000_000 + n });
  for (let n = 0; n < entries; n += 1_000) {
    await append(Array.from({ length: 1_000 }, (_, i) => ({ kind: 'prints', prints: [price(n + i)] })));
    if (n >= entries - 2_000) await store.saveSnapshot(await snapshotOf(state, store));
  }
  await store.close();
}
