import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, test } from 'node:test';
import { FollowedLog } from '@venue/audit';
import { stateDigest } from '@venue/engine';
import { sharedVerifier } from '../../exchange/test/shared-verifier.ts';
import type { SignedLog } from '../../exchange/test/signed-log.ts';
import {
  ALICE,
  BOB,
  closeAll,
  guardian,
  PLACE,
  provableLog,
  provenPath,
  SAFE,
  start,
  VAULT,
} from '../test/proven-world.ts';
import { ProvenFile } from './proven.ts';

/** All that a checker knows of a log. */
function known(log: FollowedLog) {
  const attested = log.takeAttested();
  return {
    seq: log.seq,
    digest: stateDigest(log.state),
    before: log.depositsBefore({ chainId: 1, vault: VAULT }).size,
    attested,
    partners: attested.map((one) => [...log.trades.partnersOf(one)]),
  };
}

async function fromFirst(spec: string) {
  const log = await FollowedLog.open(spec, { verifier: await sharedVerifier() });
  assert.equal(await log.advance(), null);
  const all = known(log);
  await log.close();
  return all;
}

/** A log whose checker has run once. */
async function checkedOnce(): Promise<SignedLog> {
  const log = await provableLog();
  await (await start(log)).copy.close();
  return log;
}

const read = (log: SignedLog) => JSON.parse(readFileSync(provenPath(log), 'utf8'));
const write = (log: SignedLog, value: unknown) => writeFileSync(provenPath(log), JSON.stringify(value));

describe('CUS-18 what the checker has proven', () => {
  afterEach(closeAll);

  test('a restart proves only the new entries, and knows all that a proof from the first entry does', async () => {
    const log = await checkedOnce();
    const { seq } = log.state;
    assert.equal(statSync(provenPath(log)).mode & 0o777, 0o600);
    await log.append(log.withdrawal(BOB, 7), log.withdrawal(ALICE, 8));
    const { copy, lines, fault } = await start(log);
    assert.equal(fault, null);
    assert.deepEqual(lines, [`proven 2 entries of the log, after the ${seq} of ${provenPath(log)}`]);
    const all = known(copy.log);
    assert.deepEqual([all.before, all.attested.length, all.partners], [3, 1, [[ALICE.address]]]);
    assert.deepEqual(all, await fromFirst(log.spec));
  });

  test('a restart without new entries proves none, and a settled approval is not asked about again', async () => {
    const log = await checkedOnce();
    const settled = await start(log, { seen: new Set(['entry:5']) });
    settled.copy.log.trades.forget({ address: SAFE.address, sessionKey: SAFE.session.address });
    await log.append(log.withdrawal(BOB, 7));
    assert.equal(await settled.copy.advance(), null);
    await settled.copy.close();
    const again = await start(log, { seen: new Set(['entry:5', 'payout:1']) });
    assert.deepEqual(again.lines, [
      `proven 0 entries of the log, after the ${log.state.seq} of ${provenPath(log)}`,
    ]);
    assert.deepEqual(known(again.copy.log).attested, []);
    await again.copy.close();
    const unnamed = await start(log);
    assert.match(unnamed.lines[0]!, /^ALARM: .*\.proven rests on entry:5, which VENUE_CHECKER_SEEN names no/);
    assert.equal(known(unnamed.copy.log).attested.length, 1);
  });

  test('a file that cannot be trusted is told in one line, and everything is proven', async () => {
    const log = await checkedOnce();
    await log.stop();
    const whole = readFileSync(provenPath(log), 'utf8');
    const content = () => read(log).content;
    const { snapshot } = content().proof;
    const cases: [RegExp, () => Promise<unknown> | unknown, object?][] = [
      [/cannot be used: it is no JSON/, () => writeFileSync(provenPath(log), whole.slice(0, -40))],
      [/is damaged: the/, () => write(log, { content: [] })],
      [/is not sealed by this guardian/, () => {}, { key: await guardian(2) }],
      [/is not sealed by .* for this gate/, () => {}, { place: { ...PLACE, chainId: 2 } }],
      [
        /is not sealed/,
        () =>
          write(log, { ...read(log), content: { ...content(), proof: { ...content().proof, point: 1 } } }),
      ],
      [/is of version 0, and this release/, () => reseal(log, { version: 0 })],
      [/its state has another digest/, () => reseal(log, { snapshot: { ...snapshot, digest: '0' } })],
      [/is of a log with another stamp/, () => reseal(log, { stamp: [] })],
      [/is of another log/, () => reseal(log, { origin: '1'.repeat(64) })],
    ];
    for (const [why, spoil, parts] of cases) {
      writeFileSync(provenPath(log), whole);
      await spoil();
      const { copy, lines, fault } = await start(log, parts);
      await copy.close();
      assert.equal(fault, null);
      assert.match(lines[0]!, why);
      assert.match(lines[0]!, /^ALARM: .*: the log is proven from its first entry$/);
      assert.deepEqual(lines.slice(1), [`proven ${log.state.seq} entries of the log`]);
      if (parts === undefined) assert.deepEqual(read(log), JSON.parse(whole), 'a good one is written');
    }
  });

  test('CUS-3: an older copy of the log that was restored is noticed by a checker that starts on it, and is followed once its epoch is raised', async () => {
    const log = await provableLog();
    await log.stop();
    const kept = log.copy();
    await log.start();
    await log.append(log.withdrawal(BOB, 7));
    await (await start(log)).copy.close();
    await log.stop();
    for (const suffix of ['', '-head']) copyFileSync(kept.path + suffix, log.path + suffix);
    const { seq } = log.state;
    const early = await start(log);
    assert.equal(early.fault, `the log ends with entry ${seq - 1}, and entry ${seq} was there before`);
    await early.copy.close();
    assert.equal(read(log).content.proof.point.seq, seq, 'nothing is forgotten meanwhile');
    await log.start();
    // Only the file is looked at, of which the writer's state has an entry too many.
    log.state.seq -= 1;
    await log.append({ kind: 'epoch', epoch: 1, reason: 'restored' });
    const late = await start(log);
    assert.equal(late.fault, null);
    assert.deepEqual([late.copy.log.fromSeq, late.copy.log.seq], [0, seq]);
    await late.copy.close();
    await log.stop();
    assert.equal(read(log).content.proof.snapshot.digest, stateDigest(late.copy.log.state));
  });

  test('an older file goes on from where it was, and proves the rest', async () => {
    const log = await checkedOnce();
    const older = readFileSync(provenPath(log));
    const { seq } = log.state;
    await log.append(log.withdrawal(BOB, 7));
    await (await start(log)).copy.close();
    writeFileSync(provenPath(log), older);
    await log.append(log.withdrawal(BOB, 8));
    const { lines } = await start(log);
    assert.deepEqual(lines, [`proven 2 entries of the log, after the ${seq} of ${provenPath(log)}`]);
  });

  test('the checker that runs notices that its file was replaced or removed, and writes it again', async () => {
    const log = await provableLog();
    const { copy, lines } = await start(log);
    const good = readFileSync(provenPath(log), 'utf8');
    for (const [change, what] of [
      [() => writeFileSync(provenPath(log), good), 'replaced'],
      [() => rmSync(provenPath(log)), 'removed'],
    ] as const) {
      change();
      assert.equal(await copy.advance(), null);
      assert.equal(
        lines.at(-1),
        `ALARM: ${provenPath(log)} was ${what} by somebody else: it is written again`,
      );
      assert.equal(readFileSync(provenPath(log), 'utf8'), good);
    }
    const told = lines.length;
    assert.equal(await copy.advance(), null);
    assert.equal(lines.length, told);
  });

  test('it is written at most once a minute, and a write that fails is told and stops nothing', async () => {
    const log = await provableLog();
    let nowMs = 0;
    const path = `${provenPath(log)}/not-a-folder`;
    const { copy, lines } = await start(log, { now: () => nowMs });
    const first = readFileSync(provenPath(log), 'utf8');
    await log.append(log.withdrawal(BOB, 7));
    await copy.advance();
    assert.equal(readFileSync(provenPath(log), 'utf8'), first);
    nowMs = 60_000;
    await copy.advance();
    assert.equal(read(log).content.proof.point.seq, log.state.seq);
    await copy.close();
    const failing = await start(log, { path });
    assert.equal(failing.fault, null);
    assert.match(
      failing.lines.join('\n'),
      /ALARM: what is proven is not kept, and a restart proves it again/,
    );
    assert.equal(lines.length, 1);
  });
});

/** Changes a proof as this guardian alone can. */
async function reseal(log: SignedLog, change: object): Promise<void> {
  const { content } = read(log);
  const proof = { ...content.proof, ...change };
  const parts = { path: provenPath(log), place: PLACE, key: await guardian(), seen: new Set<string>() };
  const file = new ProvenFile({ ...parts, log: () => {} });
  await file.keep({ seq: 1, fromSeq: 0, proof: async () => proof });
}
