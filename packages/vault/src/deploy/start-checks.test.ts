import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reached, statesOf } from '../../test/payouts.ts';
import { eventually, OPERATOR_TOKEN, worldOf } from '../../test/world.ts';

const DEPOSIT_TOKEN = 'deposit-secret-deposit-secret-deposit-s';
const PAYOUT_TOKEN = 'payout-secret-payout-secret-payout-secr';
const OWN = { VENUE_DEPOSIT_TOKEN: DEPOSIT_TOKEN, VENUE_PAYOUT_TOKEN: PAYOUT_TOKEN };

test('CUS-9: watcher and batcher do their work with secrets of their own, and with no other', async (t) => {
  const world = await worldOf(t, {}, OWN);
  const alice = await world.trader(2);
  const watcher = world.watch({ VENUE_OPERATOR_TOKEN: '', VENUE_DEPOSIT_TOKEN: DEPOSIT_TOKEN });
  await world.deposit(alice, 9_000_000);
  await world.confirm();
  await world.hasCash(alice, 9_000_000);
  await alice.venue.withdrawals.request(2);
  const batcher = world.pay({ VENUE_OPERATOR_TOKEN: '', VENUE_PAYOUT_TOKEN: PAYOUT_TOKEN });
  await reached(batcher, 'batch-sent');
  await world.confirm();
  await eventually('it is noted', async () => (await statesOf(alice))[0] === 'committed');
  assert.deepEqual([await watcher.stop(), await batcher.stop()], [undefined, undefined]);

  for (const [name, env] of [
    ['VENUE_DEPOSIT_TOKEN', { VENUE_DEPOSIT_TOKEN: PAYOUT_TOKEN }],
    ['VENUE_DEPOSIT_TOKEN', { VENUE_DEPOSIT_TOKEN: OPERATOR_TOKEN }],
    ['VENUE_OPERATOR_TOKEN', {}],
  ] as const) {
    const refused = await world.watch(env).dies();
    assert.deepEqual(
      [refused.name, refused.message],
      ['ConfigError', `${name}: the exchange answers wrong credential`],
    );
  }
  const refused = await world.pay({ VENUE_PAYOUT_TOKEN: DEPOSIT_TOKEN }).dies();
  assert.equal(refused.message, 'VENUE_PAYOUT_TOKEN: the exchange answers wrong credential');
});
