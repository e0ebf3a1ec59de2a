/**
 * Quote sets with several levels, and what fills them: the running state, with its memos and lists, beside states that
 * have none. The seed is in the title of a test that fails.
 */

// @seconds 25

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../sim/random.ts';
import { checkFreshMarks } from '../../test/fresh-marks.ts';
import { FLOW_SERIES, SetFlow } from '../../test/set-flow.ts';
import type { Venue } from '../../test/venue.ts';
import type { BatchCommand, OrderCommand } from '../entry/command.ts';
import type { Trade } from '../entry/outcome.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';
import { comboTerms } from '../trading/combos/place.ts';
import { previewCombo } from '../trading/combos/preview.ts';
import { amountsOf, type OrderPreview, previewOrder } from '../trading/preview.ts';
import { exactRiskOf } from './margin.ts';
import { memosOf } from './memos.ts';
import { markParts } from './risk-marks.ts';

const SEEDS = 100;
/** How often the states are compared, and a preview is carried out: seldom enough that memos grow old in between. */
const COMPARED = 0.4;
const CARRIED_OUT = 0.4;

const seen = { struck: 0, moved: 0, twinned: 0, fills: 0, comboFills: 0 };

describe('RSK-2 BAT-6 OWN-35 CMB-3 the running state, a twin from a snapshot, and previews agree', () => {
  for (let seed = 1; seed <= SEEDS; seed++) test(`seed ${seed}`, () => run(seed));

  test('the seeds reached what is compared: struck quotes, moved marks, fills and combos', () => {
    assert.ok(seen.struck > 1_000, `${seen.struck} times orders of an owner were struck`);
    assert.ok(seen.moved > 500, `${seen.moved} marks were not the model's`);
    assert.ok(seen.twinned > 1_000, `${seen.twinned} entries were compared with a twin's`);
    assert.ok(seen.fills > 100, `${seen.fills} fills of previewed orders`);
    assert.ok(seen.comboFills > 100, `${seen.comboFills} fills of previewed combos`);
  });
});

function run(seed: number): void {
  const random = new Random(seed);
  const flow = new SetFlow(random);
  const { venue } = flow;
  let twin: State | null = null;
  for (let left = random.between(20, 60); left > 0; left--) {
    flow.act();
    for (let previews = random.between(0, 2); previews > 0; previews--) preview(flow, random);
    seen.struck += struckOwners(venue.state);
    if (twin !== null) {
      twin = venue.replay(venue.log.length, twin);
      assert.equal(stateDigest(twin), stateDigest(venue.state), 'the twin differs');
      seen.twinned += 1;
    }
    if (!random.chance(COMPARED)) continue;
    const fresh = checkFreshMarks(venue, FLOW_SERIES);
    seen.moved += movedMarks(fresh);
    if (random.chance(0.5)) twin = restoreState(stateLines(venue.state));
  }
}

function struckOwners(state: State): number {
  const sieves = memosOf(state).markRows.flatMap((row) => (row === undefined ? [] : [row.bids, row.asks]));
  return sieves.reduce((sum, sieve) => sum + [...sieve.struckOwners].length, 0);
}

function movedMarks(state: State): number {
  const marks = state.series.flatMap((series) =>
    memosOf(state).markRows[series.sid] ? [markParts(state, series)] : [],
  );
  return marks.filter(({ modelMicros, riskMicros }) => modelMicros !== null && modelMicros !== riskMicros)
    .length;
}

/** An outcome in a preview or of an entry. */
interface Reported {
  readonly status: string;
  readonly reason?: string | undefined;
  readonly trades?: readonly Trade[];
  readonly restedMicros?: number;
}

interface Imagined {
  readonly preview: Pick<OrderPreview, 'after'> & { readonly outcome: Reported };
  readonly command: OrderCommand | BatchCommand;
}

/** Previews an order or a combo, and compares it with its execution if it is carried out. */
function preview(flow: SetFlow, random: Random): void {
  const account = flow.trader();
  const imagine = random.pick([imagineOrder, imaginePlacing, imagineCombo, imagineCombo]);
  const { preview, command } = imagine(flow, account);
  if (!random.chance(CARRIED_OUT)) return;
  const result = carryOut(flow.venue, command);
  assert.deepEqual(comparable(preview.outcome), comparable(result), 'the outcome');
  const { state } = flow.venue;
  assert.deepEqual(preview.after, amountsOf(state, account), 'the amounts');
  const { isCalled: _, ...risk } = exactRiskOf(state, account);
  assert.deepEqual(preview.after, { ...preview.after, ...risk }, 'the exact risk');
  seen[imagine === imagineCombo ? 'comboFills' : 'fills'] += result.trades?.length ?? 0;
}

/** The part of an outcome that previews have too. */
function comparable({ status, reason, trades, restedMicros }: Reported): unknown {
  if (trades === undefined) return { status, reason };
  return {
    status,
    restedMicros,
    trades: trades.map(({ priceMicros, qtyMicros }) => [priceMicros, qtyMicros]),
  };
}

function imagineOrder(flow: SetFlow, account: Account): Imagined {
  const { state, nowMs } = flow.venue;
  const order = flow.order();
  const command = { kind: 'order', account: account.address!, ...order } as const;
  return { preview: previewOrder(state, account, order, nowMs), command };
}

function imaginePlacing(flow: SetFlow, account: Account): Imagined {
  const { state, nowMs } = flow.venue;
  const action = flow.placing();
  const { tif, stp } = action;
  const preview = previewOrder(state, account, { ...action, terms: { tif, stp } }, nowMs);
  return { preview, command: { kind: 'batch', account: account.address!, actions: [action] } };
}

function imagineCombo(flow: SetFlow, account: Account): Imagined {
  const { state, nowMs } = flow.venue;
  const action = flow.combo();
  const preview = previewCombo(
    state,
    account,
    { ...action, terms: comboTerms(action.tif, undefined) },
    nowMs,
  );
  return { preview, command: { kind: 'batch', account: account.address!, actions: [action] } };
}

function carryOut(venue: Venue, command: OrderCommand | BatchCommand): Reported {
  const done = venue.apply(command);
  const result = 'results' in done ? done.results[0] : done;
  assert.ok(result !== undefined && 'status' in result);
  return result;
}
