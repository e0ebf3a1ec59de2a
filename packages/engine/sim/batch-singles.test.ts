import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  apply,
  type BatchCommand,
  createState,
  type Entry,
  isRefused,
  NO_EFFECTS,
  restoreState,
  stateLines,
} from '../src/index.ts';
import type { State } from '../src/state/state.ts';
import { plainOutcome } from './describe.ts';
import type { PlainOutcome } from './description.ts';
import { Generator } from './generate.ts';
import { Model } from './model.ts';
import { hasCustody } from './simulate.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const ENTRIES = 150;

test('BAT-2 a batch does what its actions do one by one with nothing between', () => {
  const actions = SEEDS.map((seed) => {
    const model = new Model();
    const generator = new Generator(seed, model, hasCustody(seed));
    const state = createState();
    let compared = 0;
    for (let at = 0; at < ENTRIES; at++) {
      const entry = generator.next();
      model.apply(entry);
      if (isBatch(entry) && entry.command.actions.length > 1) compared += compare(state, entry);
      apply(state, entry, NO_EFFECTS);
    }
    return compared;
  });
  assert.ok(
    actions.reduce((sum, count) => sum + count) > 500,
    `actions compared in each seed: ${actions.join(', ')}`,
  );
});

function isBatch(entry: Entry): entry is Entry<BatchCommand> {
  return entry.command.kind === 'batch';
}

/** Unsigned, because each entry would spend a nonce of its own. Returns the number of actions. */
function compare(state: State, { seq, ts, command }: Entry<BatchCommand>): number {
  const { account, actions } = command;
  const together = restoreState(stateLines(state));
  const apart = restoreState(stateLines(state));
  const batch = { kind: 'batch', account, actions } as const;
  const outcome = apply(together, { seq, ts, command: batch }, NO_EFFECTS);
  if (isRefused(outcome)) return 0;
  const singles = actions.map((action, at) =>
    apply(apart, { seq: seq + at, ts, command: { ...batch, actions: [action] } }, NO_EFFECTS),
  );
  const results = singles.flatMap((single) => plainOutcome(apart, single).results as PlainOutcome[]);
  assert.deepEqual(results, plainOutcome(together, outcome).results, `results of entry ${seq}`);
  apart.seq = together.seq;
  assert.deepEqual([...stateLines(apart)], [...stateLines(together)], `state after entry ${seq}`);
  return actions.length;
}
