/** The other drills of docs/how-to/deploy.md and docs/how-to/operate.md, with their commands run unchanged. */

// @seconds 160

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../e2e/launched.ts';
import { skipBecause } from '../faults/machine.ts';
import { accountCount, backUp, isWell, newTrader, SKIP } from './drills.ts';
import { blocksUnder, Machine } from './drills-machine.ts';
import { DebianPostgres, whyNoDebianPostgres } from './drills-postgres.ts';
import { faketimeMissing, ShiftedClock } from './shifted-clock.ts';

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } } as const;

const UPGRADE = blocksUnder('how-to/deploy.md', 'Upgrade a node')[0]!;
const ROLL_BACK = blocksUnder('how-to/deploy.md', 'Roll back')[0]!;
const REFUSED = blocksUnder('how-to/operate.md', 'The oracle refuses');
const [ROTATE = '', ROTATE_SETTLE = '', LOOK = ''] = blocksUnder('how-to/operate.md', 'A secret has leaked');
const [NEW_SETTLE = '', HAND_OVER = ''] = blocksUnder('how-to/deploy.md', 'Two people who settle');

interface Holder {
  readonly home: string;
  readonly token: string;
  readonly hash: string;
}

/** A person with a secret of settlement in a home folder of their own. */
async function appoint(machine: Machine, name: string): Promise<Holder> {
  const home = join(machine.folder, name);
  mkdirSync(home);
  const hash = (await machine.run(`HOME=${home}\n${NEW_SETTLE}`)).trim();
  return { home, hash, token: readFileSync(join(home, 'settle-token'), 'utf8').trim() };
}

async function appointTwo(machine: Machine): Promise<[Holder, Holder]> {
  const [first, second] = [await appoint(machine, 'first'), await appoint(machine, 'second')];
  await machine.run(`HASH_1=${first.hash}\nHASH_2=${second.hash}\n${HAND_OVER}`);
  await eventually('it listens', () => isWell(machine));
  return [first, second];
}

async function prints(machine: Machine, token: string): Promise<number> {
  const body = JSON.stringify({ prints: [{ symbol: 'BTC', source: 'a', price: 100_000 }] });
  const headers = { ...POST.headers, 'x-feed-token': token };
  return (await fetch(`${machine.url}/v1/feed/prints`, { ...POST, headers, body })).status;
}

describe('a leaked secret', { skip: SKIP }, () => {
  let machine: Machine;
  before(async () => {
    machine = await Machine.create();
    await machine.run('systemctl start venue-exchange venue-feed');
    await eventually('it listens', () => isWell(machine));
    machine.env.BACKUP = await backUp(machine);
  });
  after(() => machine?.remove());

  const ASKED: readonly (readonly [string, (secret: string) => Promise<number>])[] = [
    ['feed-token', (secret) => prints(machine, secret)],
    ['operator-token', (secret) => statusWith('/v1/operator/audit', { 'x-operator-token': secret })],
    ['maker-token', (secret) => statusWith('/v1/maker/account', { 'x-maker-token': secret })],
  ];
  const statusWith = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${machine.url}${path}`, { headers })).status;

  for (const [name, ask] of ASKED) {
    test(`${name}: the old one is refused, the new one accepted`, async () => {
      const old = machine.secret(name);
      assert.equal(await ask(old), 200);
      await machine.run(`SECRET=${name}\n${ROTATE}`);
      assert.notEqual(machine.secret(name), old);
      assert.equal(await ask(old), 403);
      assert.equal(await ask(machine.secret(name)), 200);
    });
  }

  test('settlement: nobody settles with the old one, and the new one is known by its hash alone', async () => {
    const [first, second] = await appointTwo(machine);
    const settles = async (token1: string) => {
      const headers = { ...POST.headers, 'x-settle-token-1': token1, 'x-settle-token-2': second.token };
      const body = JSON.stringify({ symbol: 'BTC', expiryTs: 1, price: 1 });
      return (await fetch(`${machine.url}/v1/operator/settle`, { ...POST, headers, body })).status;
    };
    assert.equal(await settles(first.token), 400);
    const successor = await appoint(machine, 'successor');
    await machine.run(`WHICH=1\nHASH=${successor.hash}\n${ROTATE_SETTLE}`);
    assert.equal(await settles(first.token), 403);
    assert.equal(await settles(successor.token), 400);
  });

  test('token-secret: every bearer token is invalid from then on', async () => {
    const trader = await newTrader(machine.url);
    await trader.account.me();
    await machine.run(`SECRET=token-secret\n${ROTATE}`);
    await assert.rejects(trader.account.me(), /unknown|401|token/i);
  });

  test('the feed continues with its new secret, and the log shows what was done', async () => {
    await eventually('a fresh price', async () => {
      const meta = (await (await fetch(`${machine.url}/v1/meta`)).json()) as {
        instruments: { symbol: string; feedFresh: boolean }[];
      };
      return meta.instruments.some(({ symbol, feedFresh }) => symbol === 'ETH' && feedFresh);
    });
    const said = await machine.run(LOOK);
    assert.match(said, /verified: entries 1 to/);
    assert.match(said, /^prints\|\d+$/m);
  });
});

describe('an upgrade', { skip: SKIP }, () => {
  test('is tried on a backup, installed and rolled back, with every account kept', async () => {
    const machine = await Machine.create();
    try {
      await machine.run('systemctl start venue-exchange venue-feed venue-maker');
      await eventually('it listens', () => isWell(machine));
      await newTrader(machine.url);
      const accounts = await accountCount(machine);
      const current = (await machine.run('readlink /opt/venue/current')).trim();
      machine.env.NEW = machine.path('/opt/venue/releases/0.2.0');
      mkdirSync(machine.path('/opt/venue/releases'), { recursive: true });
      symlinkSync(current, machine.env.NEW);
      assert.match(await machine.run(UPGRADE), /verified: entries[\s\S]*true\s*$/);
      assert.equal((await machine.run('readlink /opt/venue/current')).trim(), machine.env.NEW);
      assert.equal(await accountCount(machine), accounts);
      assert.match(await machine.run(ROLL_BACK), /true\s*$/);
      assert.equal((await machine.run('readlink /opt/venue/current')).trim(), current);
      assert.equal(await accountCount(machine), accounts);
    } finally {
      machine.remove();
    }
  });
});

/** For the exchange to start, two people to be appointed, and the expiry to be listed before it ends. */
const LEAD_MS = 60_000;
const CUTOFF_MS = Date.parse('2026-03-07T20:00:00-05:00');

describe('a refusing oracle', {
  skip: SKIP || skipBecause(faketimeMissing() ?? undefined),
}, () => {
  test('is resolved by two people with a secret each, and the audit holds', async () => {
    const machine = await Machine.create();
    try {
      // Time counts once the machine is laid out.
      const clock = new ShiftedClock(CUTOFF_MS - LEAD_MS);
      const lines = Object.entries(clock.env).map(([name, value]) => `${name}=${value}\n`);
      appendFileSync(machine.path('/etc/venue/exchange.env'), lines.join(''));
      await machine.run('systemctl start venue-exchange');
      await eventually('it listens', () => isWell(machine));
      const [first, second] = await appointTwo(machine);
      const token = machine.secret('feed-token');
      // A single source, where two are required.
      await eventually(
        'the cutoff',
        async () => (await prints(machine, token)) === 200 && clock.now() > CUTOFF_MS,
        2 * LEAD_MS,
      );
      await eventually('a refusal', async () => {
        const meta = (await (await fetch(`${machine.url}/v1/meta`)).json()) as { pendingReview: string[] };
        return meta.pendingReview.length > 0;
      });
      Object.assign(machine.env, { SYMBOL: 'BTC', EXPIRY: String(CUTOFF_MS / 1_000), PRICE: '100250' });
      assert.match(await machine.run(REFUSED[0]!), /BTC/);
      const [, proposed] = /^proposal (\d+): /m.exec(await machine.run(`HOME=${first.home}\n${REFUSED[1]}`))!;
      const said = await machine.run(`HOME=${second.home}\nID=${proposed}\n${REFUSED[2]}`);
      assert.match(said, /settled .*100250/);
      assert.match(await machine.run(REFUSED[3]!), /audit: 2 entries, chain intact, head [0-9a-f]{64}/);
    } finally {
      machine.remove();
    }
  });
});

describe('a log on PostgreSQL', {
  skip: SKIP || skipBecause(whyNoDebianPostgres(), { optional: true }),
}, () => {
  test('is dumped while in use, and restored into an empty database', async () => {
    const postgres = await DebianPostgres.start();
    const machine = await Machine.create();
    try {
      const log = await postgres.createDatabase('venue');
      machine.env.VENUE_LOG = log;
      await machine.run(
        'echo "$VENUE_LOG" > /etc/venue/secrets/log; echo VENUE_LOG_SINGLE=1 >> /etc/venue/exchange.env',
      );
      await machine.run('systemctl start venue-exchange venue-feed');
      await eventually('it listens', () => isWell(machine));
      await newTrader(machine.url);
      const accounts = await accountCount(machine);
      const [block = ''] = blocksUnder('how-to/back-up.md', 'Back up PostgreSQL');
      const said = (await machine.run(`${block}\necho "$name"`)).trim().split('\n');
      assert.match(said.at(-2)!, /^\d+:[0-9a-f]{64}$/);
      machine.env.DUMP = `${said.at(-1)!}.dump`;
      machine.env.RESTORED = await postgres.createDatabase('restored');
      await machine.run('systemctl stop venue-feed venue-exchange');
      const [restore = ''] = blocksUnder('how-to/back-up.md', 'Restore PostgreSQL');
      assert.match(await machine.run(restore), /verified: entries 1 to \d+/);
      await machine.run('echo "$RESTORED" > /etc/venue/secrets/log');
      await machine.run('systemctl start venue-exchange');
      await eventually('it listens', () => isWell(machine));
      assert.equal(await accountCount(machine), accounts);
    } finally {
      machine.remove();
      await postgres.remove();
    }
  });
});
