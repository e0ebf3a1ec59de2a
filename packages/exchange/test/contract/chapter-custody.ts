/** Deposits, withdrawals and the orders of an account without cash: `deposits` mode. */

import { createHash } from 'node:crypto';
import { OPERATOR_TOKEN, Venue } from '../support.ts';
import { Player } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { openMarket } from './market.ts';
import { send } from './scribe.ts';
import type { Stage } from './stage.ts';

const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
const OUTSTANDING_MAX = 16;

export const CUSTODY: Chapter = {
  title: 'custody',
  on: 'deposits',
  play: async (stage, scribe) => {
    const alice = await Player.enter(stage, 'Alice');
    const withdraw = async (name: string, summary: string, amountUsd: number, by = alice) =>
      scribe.record(stage, {
        operation: 'POST /v1/withdraw',
        name,
        summary,
        request: { body: await by.withdraw(amountUsd) },
      });
    await withdraw('insufficient-balance', 'An account that nobody has paid into', 1);
    await deposit(stage, alice, 1_000);
    const { id } = await withdraw('requested', 'Debited at once', 250.5);
    await withdraw('amountNotPositive', 'Nothing', 0);

    const { headers } = alice;
    const read = (path: string, name: string, summary: string, params = {}) =>
      scribe.record(stage, { operation: `GET ${path}`, name, summary, request: { headers, params } });
    await read('/v1/withdraw/{id}', 'requested', 'Not yet on chain', { id: String(id) });
    await read('/v1/withdraw/{id}', 'unknownWithdrawal', 'A number that no withdrawal has', { id: '99' });
    await new Venue(stage.url).post(
      '/v1/operator/payouts/commit',
      { ids: [id], txHash: hashOf('commit') },
      OPERATOR,
    );
    await read('/v1/withdraw/{id}', 'committed', 'The wallet may claim it', { id: String(id) });
    await read('/v1/withdrawals', 'found', 'One withdrawal');
    await scribe.record(stage, {
      operation: 'GET /v1/reserves',
      name: 'found',
      summary: 'One account, one committed withdrawal',
    });
    for (let i = 0; i < OUTSTANDING_MAX; i++)
      await send(stage, 'POST /v1/withdraw', { body: await alice.withdraw(1) });
    await withdraw('tooManyWithdrawals', 'A 17th outstanding one', 1);

    const hilda = new Player(stage, 'Hilda');
    await deposit(stage, hilda, 1_000);
    const held = await Player.enter(stage, 'Hilda');
    await withdraw('accountFrozen', 'A deposit that waits for an operator', 1, held);
    await declined(stage, scribe, held);
  },
};

async function declined(stage: Stage, scribe: Parameters<Chapter['play']>[1], held: Player): Promise<void> {
  const seriesId = (await openMarket(stage)).series('C', 100_000);
  const poor = await Player.enter(stage, 'Paula');
  const order = async (name: string, summary: string, by: Player) =>
    scribe.record(stage, {
      operation: 'POST /v1/order',
      name,
      summary,
      request: { body: await by.order({ seriesId, side: 'buy', qty: 1, price: 1 }) },
    });
  await order('account-frozen', 'A deposit that waits for an operator', held);
  await order('account-equity-depleted', 'An account without cash', poor);
}

async function deposit(stage: Stage, { account }: Player, usd: number): Promise<void> {
  const body = {
    address: account,
    amount: usd * 1e6,
    txHash: hashOf(`deposit of ${account}`),
    logIndex: 0,
    blockNumber: 1,
    blockHash: hashOf('block'),
  };
  await new Venue(stage.url).post('/v1/deposit', body, OPERATOR);
}

function hashOf(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}
