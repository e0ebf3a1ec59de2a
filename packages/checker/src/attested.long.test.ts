// @seconds 10

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Address, parseAddress } from '@venue/protocol';
import { openSession, Session } from '../../exchange/test/support.ts';
import { accountAt } from '../../vault/test/chain.ts';
import { GATE } from '../../vault/test/gate.ts';
import { startRpcProxy } from '../../vault/test/rpc-proxy.ts';
import { GateWorld, says, until } from '../test/gate-world.ts';

/** Returns the magic word of ERC-1271 whatever it is asked. */
const ACCEPTS_ALL = `0x7f1626ba7e${'00'.repeat(28)}5f5260205ff3` as const;

let world: GateWorld;
let forgedEntry = '';
const victim = accountAt(12);
const forgedSession = () => new Session(parseAddress(victim.address)!, accountAt(11));

before(async () => {
  world = await GateWorld.start();
});
after(() => world.stop());

describe('CUS-19 approvals that the checker asks about', () => {
  test('CUS-19: asks contract wallets itself, and holds back payouts of the account that a forged approval is for and of those who traded with its session, nobody else’s', async () => {
    const wallet = `0x${'aa'.repeat(20)}` as Address;
    await world.chain.client.setCode({ address: wallet, bytecode: ACCEPTS_ALL });
    await world.later(2 * GATE.longDelaySeconds);
    await world.attested(wallet, 10);
    const partner = accountAt(13);
    await world.checked(async (lines) => {
      const forged = await world.attested(parseAddress(victim.address)!, 11);
      await until(
        says(lines, /ALARM: the log has an approval by 0x.* that the contract does not accept/),
        lines,
      );
      const bob = await openSession(world.venue, partner);
      for (const owner of [victim, partner]) await world.paidIn(400n, owner, world.place);
      await world.trade({ seller: bob, buyer: forged.session });
      const others = await world.propose(await world.withdraw(110));
      const own = await world.propose(await world.withdraw(101, forged.session));
      const gained = await world.propose(await world.withdraw(102, bob));
      await until(says(lines, new RegExp(`batch ${others} follows`)), lines);
      assert.deepEqual(
        [await world.isOpposed(own), await world.isOpposed(gained)],
        [false, false],
        'a person may look',
      );
      await world.later(GATE.shortDelaySeconds / 2 + 1);
      for (const id of [own, gained]) await until(() => world.isOpposed(id), lines);
      assert.ok(says(lines, new RegExp(`waits for a person: .*entry:${forged.id}`))(), lines.join('\n'));
      assert.equal(await world.isOpposed(others), false);
      forgedEntry = `entry:${forged.id}`;
    });
  });

  test('CUS-19: a payout that waits for a person and was let through is told, and pauses nobody', async () => {
    await world.later(11 * GATE.longDelaySeconds);
    await world.checked(async (lines) => {
      const taken = await world.propose(await world.withdraw(20, forgedSession()));
      await world.later(GATE.shortDelaySeconds / 2 + 1);
      await until(
        says(lines, new RegExp(`ALARM: batch ${taken} .* is committed and does not follow: `)),
        lines,
      );
      const { timestamp } = await world.chain.client.getBlock();
      assert.ok((await world.gate.pausedUntil()) < Number(timestamp));
    });
  });

  test('CUS-18: what a person has found right is asked about no longer, and what was confirmed is not after a restart', async () => {
    const calls: string[] = [];
    const rpc = await startRpcProxy(world.chain.rpcUrl);
    rpc.tamper = (call) => {
      if (call.method === 'eth_call') calls.push(call.params[0].to ?? 'code');
      return call.forward();
    };
    const settled = { VENUE_CHECKER_SEEN: forgedEntry, VENUE_RPC_URL: rpc.url };
    await world.checked(
      async (lines) => {
        const payout = await world.propose(await world.withdraw(103, forgedSession()));
        await until(says(lines, new RegExp(`batch ${payout} follows`)), lines);
        assert.ok(!calls.includes(`0x${'aa'.repeat(20)}`), 'the wallet was asked again');
        assert.ok(!lines.some((line) => line.includes('does not accept')));
      },
      { env: settled },
    );
    await rpc.stop();
  });
});
