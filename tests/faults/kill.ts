/**
 * Repeated kill -9 of an exchange on SQLite at random moments, while clients write as fast as they are answered:
 *
 *   node tests/faults/kill.ts --rounds 200
 */

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast } from '../../packages/exchange/sim/options.ts';
import { finish, say, share } from './figures.ts';
import type { Judged } from './judge.ts';
import type { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';
import { underLoad } from './under-load.ts';
import { placedIds } from './write.ts';

export interface KillOptions {
  readonly rounds: number;
  readonly traders: number;
  /** The longest time the exchange serves before it is killed. */
  readonly servesMsMax: number;
}

export interface KillResult {
  /** All faults found. */
  readonly faults: readonly string[];
  readonly entries: number;
  readonly acknowledged: number;
  /** Acknowledged batches, and the orders that they placed. */
  readonly batches: number;
  readonly placed: number;
  /** Pushes to quote sets that changed the book. */
  readonly pushes: number;
  /** Deadlines that were carried out. */
  readonly deadlines: number;
  /** Writes whose fate stayed unknown, and those settled by a repetition. */
  readonly unknown: number;
  readonly foundOut: number;
  /** Additional kills of an exchange that was not yet listening. */
  readonly earlyKills: number;
  /** Outage of each round, ascending. */
  readonly outagesMs: readonly number[];
}

/** One round in this many has a second kill, during start-up. */
const EARLY_EVERY = 8;
const EARLY_MS_MAX = 500;
const CHECK_EVERY = 50;

/** Runs the rounds in a temporary folder, and ends everything it started. */
export async function killRounds(options: KillOptions): Promise<KillResult> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-kill-'));
  const log = `sqlite:${join(folder.path, 'venue.db')}`;
  const { faults, crowd, evidence, given } = await underLoad({ log, traders: options.traders }, (load) =>
    killAgainAndAgain(load, options),
  );
  const { writes, acknowledgements: acknowledged } = crowd;
  const batches = writes.filter(({ kind, heard }) => kind === 'batch' && heard !== null);
  const { gtd, guard } = evidence.deadlines;
  return {
    faults,
    batches: batches.length,
    placed: batches.flatMap(placedIds).length,
    pushes: writes.filter(({ kind, heard }) => kind === 'quote-set' && Number(heard?.body.applied) > 0)
      .length,
    deadlines: gtd + guard,
    entries: evidence.state.seq,
    acknowledged,
    unknown: writes.filter(({ heard, isKnownToBeIn }) => heard === null && !isKnownToBeIn).length,
    foundOut: writes.filter(({ isKnownToBeIn }) => isKnownToBeIn).length,
    earlyKills: given.earlyKills,
    outagesMs: given.outagesMs.toSorted((a, b) => a - b),
  };
}

async function killAgainAndAgain(
  { node, crowd, evidence }: Judged,
  { rounds, servesMsMax }: KillOptions,
): Promise<Pick<KillResult, 'earlyKills' | 'outagesMs'>> {
  const outagesMs: number[] = [];
  let earlyKills = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(Math.random() * servesMsMax);
    const killedMs = performance.now();
    await node.kill();
    if (round % EARLY_EVERY === 0) earlyKills += await killWhileStarting(node);
    node.launch();
    await node.untilListening();
    await crowd.untilServed(1);
    outagesMs.push(crowd.outage(killedMs, performance.now()).venueMs);
    // Entries already in the log must still be there, with the same hash.
    if (round % CHECK_EVERY === 0) await evidence.catchUp();
  }
  await crowd.stop();
  for (const trader of crowd.traders) await trader.repeatAcknowledged();
  return { earlyKills, outagesMs };
}

/** 1 if it was not yet listening. */
async function killWhileStarting(node: NodeProcess): Promise<number> {
  node.launch();
  await sleep(Math.random() * EARLY_MS_MAX);
  const { isListening } = node;
  await node.kill();
  return isListening ? 0 : 1;
}

if (import.meta.main)
  await runScript({ rounds: '200' }, async (values) => {
    const rounds = atLeast(1, 'rounds', values.rounds);
    const result = await killRounds({ rounds, traders: 12, servesMsMax: 700 });
    const { acknowledged, unknown, foundOut, entries, earlyKills, outagesMs, faults } = result;
    const { batches, placed, pushes, deadlines } = result;
    say(`${rounds} kills, and ${earlyKills} of an exchange that did not listen yet`);
    say(`${acknowledged} writes acknowledged; the log has ${entries} entries`);
    say(
      `${batches} of them batches, with ${placed} orders; ${deadlines} orders left by a deadline; ${pushes} pushes of quotes`,
    );
    say(`${foundOut} writes without an answer found out by a repetition, ${unknown} left unknown`);
    say(`time without service: median ${share(outagesMs, 0.5)} ms, longest ${share(outagesMs, 1)} ms`);
    finish(faults);
  });
