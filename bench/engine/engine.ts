/**
 * Question: how many entries a second does the engine apply on one core, with signed orders and cancels, every check,
 * margin, ledger, sessions and nonces, and does that depend on the number of accounts?
 */

import assert from 'node:assert/strict';
import { apply, brokenInvariants, NO_EFFECTS, stateDigest } from '../../packages/engine/src/index.ts';
import { type EngineFlow, type FlowOptions, makeFlow, openVenue } from './flow.ts';
import { collectGarbage } from './garbage.ts';
import { groupTimes } from './groups.ts';

const ENTRIES = 500_000;
const ACCOUNTS = [100, 1_000, 10_000, 100_000];
const RUNS = 5;

export async function run(): Promise<void> {
  console.table(ACCOUNTS.map((accounts) => measure({ accounts, entries: ENTRIES })));
  console.log('half of the accounts margined for defined risk');
  const halves = ACCOUNTS.slice(0, 2).map((accounts) => ({
    accounts,
    entries: ENTRIES,
    halfDefinedRisk: true,
  }));
  console.table(halves.map(measure));
  console.table(groupTimes());
}

/** Every run must end in the same state, without a broken invariant. */
export function measure(options: FlowOptions) {
  const flow = makeFlow(options);
  const times: number[] = [];
  const digests = new Set<string>();
  for (let i = 0; i < RUNS + 1; i++) {
    const { ms, digest } = timed(options, flow);
    // The first warms up.
    if (i > 0) times.push(ms);
    digests.add(digest);
  }
  assert.equal(digests.size, 1);
  const rates = times.map((ms) => Math.round((options.entries / ms) * 1_000)).sort((a, b) => a - b);
  const { orders, traded, rejected, cancels } = flow.counts;
  return {
    accounts: options.accounts,
    'median entries/s': rates[rates.length >> 1]!,
    'slowest run': rates[0]!,
    'µs an entry': Number((1e6 / rates[rates.length >> 1]!).toFixed(2)),
    orders,
    'traded %': Math.round((100 * traded) / orders),
    'rejected %': Math.round((100 * rejected) / orders),
    cancels,
  };
}

function timed(options: FlowOptions, { entries }: EngineFlow): { ms: number; digest: string } {
  const { state } = openVenue(options);
  collectGarbage();
  const start = performance.now();
  for (const entry of entries) apply(state, entry, NO_EFFECTS);
  const ms = performance.now() - start;
  assert.deepEqual([...brokenInvariants(state)], []);
  return { ms, digest: stateDigest(state) };
}

if (import.meta.main) await run();
