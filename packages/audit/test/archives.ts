/** Archives of a venue that traded, as they are and as somebody changed them. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sharedVerifier } from '../../exchange/test/shared-verifier.ts';
import { ALICE, BOB, newPath, SignedLog, trade } from '../../exchange/test/signed-log.ts';
import { exportLog } from '../src/archive/export.ts';
import type { VerifyReport } from '../src/verify/report.ts';
import { type VerifyOptions, verifyLog } from '../src/verify/verify.ts';

export const verify = async (options: VerifyOptions) =>
  verifyLog({ verifier: await sharedVerifier(), ...options });

/** A stopped venue that traded, with snapshots of entry `older` and of its last one. */
export async function tradedVenue(
  mode: 'paper' | 'deposits' = 'paper',
  laterMs = 0,
): Promise<{ venue: SignedLog; older: number }> {
  const venue = await SignedLog.open(mode);
  venue.nowMs += laterMs;
  await trade(venue);
  await venue.snapshot();
  const older = venue.state.seq;
  await venue.append({ kind: 'quotes', session: null, rows: [] });
  await venue.append(venue.order(ALICE, 'sell'), venue.order(BOB, 'buy'));
  await venue.snapshot();
  await venue.append(venue.order(ALICE, 'sell'), venue.order(BOB, 'buy'));
  await venue.stop();
  return { venue, older };
}

export const linesOf = (path: string): string[] =>
  zstdDecompressSync(readFileSync(path)).toString().trim().split('\n');

export function rewrite(path: string, change: (lines: string[]) => string[]): void {
  writeFileSync(path, zstdCompressSync(`${change(linesOf(path)).join('\n')}\n`));
}

export function assertFault({ facts }: VerifyReport, seq: number, message: RegExp): void {
  assert.match(facts.fault?.message ?? 'verified', message);
  assert.equal(facts.fault!.seq, seq);
}

/** A stopped venue that traded, and its log in two archives. */
export async function archives(laterMs = 0): Promise<{ venue: SignedLog; one: string; two: string }> {
  const { venue } = await tradedVenue('paper', laterMs);
  const [one, two] = [newPath('one.zst'), newPath('two.zst')];
  await exportLog({ log: venue.spec, out: one, to: 7 });
  await exportLog({ log: venue.spec, out: two, from: 8 });
  return { venue, one, two };
}
