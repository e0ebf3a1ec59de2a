/**
 * A trader using the real command on a real paper market: from a new wallet to filled orders, their records, and
 * refusals.
 */

// @process cli
// @seconds 20

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Account, Chain, FillRecord, OrderAnswer, OrderRecord, Statement } from '@venue/protocol';
import { signCancelOrder, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type Ended, start } from './cli-command.ts';
import { cliMarket, command } from './cli-market.ts';
import { eventually } from './launched.ts';
import { FaultyProxy } from './sdk-proxy.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const market = cliMarket();
const { folder, home } = market;

/** Runs `venue …` against the market, or another address. */
function venue(
  words: string,
  more: { at?: string; input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const { at = market.url, input, env } = more;
  return command(words.split(' '), { env: { VENUE_URL: at, VENUE_HOME: home, ...env }, input });
}

/** Like `venue`, for a command that must succeed. */
async function done(words: string): Promise<string> {
  const { code, stdout, stderr } = await venue(words);
  // The feed of the market is the simulator, and a person who looks at prices is told (FEED-1).
  assert.deepEqual([code, stderr.replace('venue: prices are simulated\n', '')], [0, ''], words);
  return stdout;
}

async function json<T>(words: string): Promise<T> {
  const stdout = await done(`${words} --json`);
  assert.equal(stdout.indexOf('\n'), stdout.length - 1, 'one value on one line');
  return JSON.parse(stdout);
}

const modeOf = (name: string) => statSync(join(home, name)).mode & 0o777;

/** A call near the spot, of an expiry at least a day away, with its ask. */
async function offered(): Promise<{ seriesId: string; ask: number }> {
  const { expiryTs } = market;
  // The maker may be replacing its quotes just then.
  const { seriesId, ask } = await eventually('a call above the spot is offered', async () => {
    const { rows, spot } = await json<Chain>(`chain BTC --expiry ${expiryTs}`);
    return rows.filter(({ strike }) => strike > spot).find(({ call }) => call?.ask)?.call;
  });
  return { seriesId, ask: ask!.price };
}

test('a trader needs only the command', async (t) => {
  let series: string;
  let ask: number;

  await t.test('without a wallet it explains how to get one', async () => {
    const { code, stdout, stderr } = await venue('account');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^venue: profile default has no wallet: run "venue wallet new" .*\n$/);
  });

  await t.test('a new wallet file is readable by its owner alone, and its key is never shown', async () => {
    const { address } = await json<{ address: string }>('wallet new');
    assert.deepEqual([modeOf(''), modeOf('default'), modeOf('default/wallet.json')], [0o700, 0o700, 0o600]);
    const { privateKey } = JSON.parse(readFileSync(join(home, 'default/wallet.json'), 'utf8'));
    const shown = await done('wallet show');
    assert.match(shown, new RegExp(`^address +${address}$`, 'm'));
    assert.ok(!shown.includes(privateKey.slice(2)));
    const unasked = await venue('wallet export');
    assert.deepEqual([unasked.code, unasked.stdout], [2, '']);
    assert.equal(await done('wallet export --yes'), `${privateKey}\n`);
    const again = await venue('wallet new');
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^venue: profile default has a wallet already .*--profile\n$/);
  });

  await t.test('orders need a session key, which is approved once and then used automatically', async () => {
    ({ seriesId: series, ask } = await offered());
    const before = await venue(`buy ${series} 0.1 --market`);
    assert.equal(before.code, 1);
    assert.match(before.stderr, /^venue: .* has no session key for \S+: run "venue session approve"\n$/);
    assert.match(await done('session approve --days 1'), /^expires +\S+ \S+ UTC, in 23h 59m$/m);
    assert.equal(modeOf('default/sessions.json'), 0o600);
    assert.match(await done('session list'), /^0x\w{40} .* in use$/m);
  });

  await t.test('shows the market: underlyings, expiries, chain, book', async () => {
    assert.match(await done('series'), /^BTC +\d+\.\d+ +fresh$/m);
    assert.match(await done('series btc'), /^expiry 20:00 New York +left +unix seconds/);
    const chain = await done('chain btc');
    assert.match(chain, /^expires \w{3} \S+ 20:00 New York = \S+ 0[01]:00 UTC, in /m);
    assert.match(chain, /call bid {2}.*strike.* put ask/);
    assert.match(
      await done(`book ${series.toLowerCase()}`),
      /^bid contracts +bid USD +ask USD +ask contracts$/m,
    );
    const unknown = await venue('chain NOPE');
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, 'venue: unknown symbol: "venue series" lists them\n'],
    );
  });

  await t.test('shows the cost of an order without placing it', async () => {
    const preview = await done(`preview buy ${series} 0.1 --limit ${Math.ceil(ask * 1.1)}`);
    assert.match(preview, /^would be +filled$/m);
    assert.match(preview, /^cash out +\d+\.\d+ USD$/m);
    assert.equal((await json<Account>('account')).cash, 100_000);
  });

  await t.test('an order fills; position, fills as CSV and statement agree', async () => {
    const bought = await done(`buy ${series} 0.1 --limit ${Math.ceil(ask * 1.1)}`);
    assert.match(bought, /^status +filled$/m);
    const [fill] = await json<FillRecord[]>('fills');
    assert.deepEqual([fill!.seriesId, fill!.side, fill!.qty], [series, 'buy', 0.1]);
    assert.match(await done('positions'), new RegExp(`^${series} +0\\.1 `, 'm'));
    const [header, row, ...rest] = (await done('fills --csv')).split('\r\n');
    assert.match(header!, /^id,time,ts,kind,seriesId,symbol,side,qty,price,fee,/);
    assert.deepEqual(row!.split(',').slice(4, 9), [series, 'BTC', 'buy', '0.1', String(fill!.price)]);
    assert.deepEqual(rest, ['']);
    const statement = await json<Statement>('statement');
    const { cash } = await json<Account>('account');
    assert.deepEqual([statement.openingBalance, statement.closingBalance], [0, cash]);
    assert.deepEqual(
      statement.rows.map(({ kind }) => kind),
      ['funding', 'trade'],
    );
    const lines = (await done('statement --csv')).trimEnd().split('\r\n');
    assert.equal(lines.length, 3);
    assert.match(lines[2]!, new RegExp(`,${cash},`));
  });

  await t.test('an order rests, is listed, and is cancelled', async () => {
    const { orderId } = await json<OrderAnswer>(`buy ${series} 2 --limit 0.01`);
    assert.match(await done('orders'), new RegExp(`^ *${orderId} +${series} +buy +0\\.01 +2 `, 'm'));
    assert.equal(await done(`cancel ${orderId}`), `order ${orderId} is cancelled\n`);
    const [closed] = await json<OrderRecord[]>('orders --closed');
    assert.deepEqual([closed!.id, closed!.status, closed!.cause], [orderId, 'cancelled', 'user']);
    assert.match(await done(`order ${orderId}`), /^status +cancelled: user$/m);
    const again = await venue(`cancel ${orderId} --json`);
    assert.deepEqual([again.code, JSON.parse(again.stdout).ok], [5, false]);
    const error = `order ${orderId} does not rest: nothing to cancel`;
    assert.deepEqual(JSON.parse(again.stderr), { error, code: 'nothing-to-cancel', exit: 5 });
    await json(`buy ${series} 2 --limit 0.01`);
    const { code, stdout, stderr } = await venue('cancel --symbol eth');
    assert.deepEqual([code, stdout, stderr], [5, '', 'venue: no order rests there: nothing to cancel\n']);
    assert.equal(await done('cancel --all'), '1 order is cancelled\n');
  });

  await t.test(
    'ORD-1: a declined order ends with 1, the reason and a way out; its answer is still JSON',
    async () => {
      const declined = await venue(`sell ${series} 5 --market --json`);
      assert.equal(declined.code, 1);
      assert.equal(JSON.parse(declined.stdout).status, 'rejected');
      const { error, ...words } = JSON.parse(declined.stderr);
      assert.match(error, /^rejected: margin is off — .* \("venue margin on" turns it on\)$/);
      assert.deepEqual(words, { code: 'rejected', exit: 1 });
      assert.equal(await done('margin on'), 'margin is on\n');
      assert.equal((await json<Account>('account')).marginEnabled, true);
      assert.equal(await done('margin off'), 'margin is off\n');
    },
  );

  await t.test(
    'NUM-2: an amount that is not exact in millionths is refused before anything is sent',
    async () => {
      for (const words of [
        '0.0000001 --market',
        '1e3 --market',
        '1 --limit 0',
        '1',
        '1 --limit 2 --market',
      ]) {
        const { code, stdout, stderr } = await venue(`buy ${series} ${words}`, { at: 'http://127.0.0.1:9' });
        assert.deepEqual([code, stdout], [2, ''], words);
        assert.match(stderr, /^venue: [^\n]+\n$/);
      }
    },
  );

  await t.test('FINE-3: paper money cannot be withdrawn', async () => {
    for (const words of ['withdraw 5', 'payouts', 'reserves']) {
      const { code, stdout, stderr } = await venue(words);
      assert.deepEqual([code, stdout], [1, ''], words);
      assert.match(stderr, /^venue: \S+ runs on paper money: .*\n$/);
    }
  });

  await t.test('a venue that does not answer gives exit code 3', async () => {
    for (const words of ['series', 'account', `buy ${series} 1 --market --yes`]) {
      const { code, stdout, stderr } = await venue(words, { at: 'http://127.0.0.1:9' });
      // No session key is known for that address.
      const expected = words.startsWith('buy') ? 1 : 3;
      assert.deepEqual([code, stdout], [expected, ''], stderr);
    }
  });

  await t.test('a wallet file that others can read is refused, with the way to fix it', async () => {
    chmodSync(join(home, 'default/wallet.json'), 0o644);
    const { code, stderr } = await venue('account');
    chmodSync(join(home, 'default/wallet.json'), 0o600);
    assert.equal(code, 1);
    assert.match(stderr, /^venue: others can read (\S+wallet\.json): run chmod 600 \1, .*\n$/);
  });

  await t.test('another profile has its own wallet, imported from standard input', async () => {
    const key = `0x${'11'.repeat(32)}`;
    const imported = await venue('wallet import --profile two', { input: `${key}\n` });
    assert.match(imported.stdout, /^address +0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a$/m);
    assert.equal(modeOf('two/wallet.json'), 0o600);
    assert.equal(
      (await json<Account>('account --profile two')).address,
      '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
    );
    const none = await venue('wallet import --profile three', { input: 'no key' });
    assert.deepEqual([none.code, none.stdout], [1, '']);
  });

  await t.test('watch writes a line for each change, and exits with 130 on Ctrl-C', async () => {
    const env = { VENUE_URL: market.url, VENUE_HOME: home };
    const child = start(['watch', '--account', '--json'], { env });
    const ended = once(child, 'close');
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    await eventually('the account', () => output.includes('"type":"account"'));
    await done(`buy ${series} 0.1 --market`);
    await eventually('the fill', () => output.includes('"type":"fill"'));
    child.kill('SIGINT');
    assert.deepEqual(await ended, [130, null]);
    for (const line of output.trimEnd().split('\n')) assert.notEqual(JSON.parse(line).type, 'spots');
  });

  await t.test('watch of an underlying starts with its last trades', async () => {
    const child = start(['watch', 'btc'], { env: { VENUE_URL: market.url, VENUE_HOME: home } });
    const ended = once(child, 'close');
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    await eventually('trades and spots', () =>
      /trade {2}buy 0\.1 BTC-.*\n(.*\n)*.* spot {3}BTC \d/.test(output),
    );
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [143, null]);
  });

  await t.test('KEY-3: a revoked session key signs nothing more', async () => {
    const stored = readFileSync(join(home, 'default/sessions.json'), 'utf8');
    assert.match(await done('session revoke'), /^0x\w{40} signs nothing more\n$/);
    assert.equal(await done('session list'), 'no live session key\n');
    writeFileSync(join(home, 'default/sessions.json'), stored);
    const { code, stderr } = await venue(`buy ${series} 0.1 --market`);
    assert.deepEqual(
      [code, stderr],
      [1, 'venue: unknown or revoked session key: run "venue session approve"\n'],
    );
    await done('session approve');
  });
});

test('an order whose answer is lost is sent again, counts once, and is shown', async (t) => {
  const proxy = await FaultyProxy.start(market.url);
  t.after(() => proxy.stop());
  const { seriesId } = await offered();
  await done('wallet new --profile lost');
  assert.equal((await venue('session approve --profile lost', { at: proxy.url })).code, 0);
  for (const fault of [
    'lose the answer',
    'lose the request',
    'garble the answer',
    'empty the answer',
  ] as const) {
    proxy.fail('/v1/batch', fault);
    const bought = await venue(`buy ${seriesId} 3 --limit 0.02 --json --profile lost`, { at: proxy.url });
    assert.deepEqual([bought.code, bought.stderr], [0, ''], fault);
    const { orderId, status } = JSON.parse(bought.stdout);
    assert.equal(status, 'rested', fault);
    const open = await json<OrderRecord[]>('orders --profile lost');
    assert.deepEqual([open.map(({ id }) => id), fault], [[orderId], fault]);
    proxy.fail('/v1/batch', fault);
    const cancelled = await venue(`cancel ${orderId} --profile lost`, { at: proxy.url });
    assert.deepEqual([cancelled.code, cancelled.stdout], [0, `order ${orderId} is cancelled\n`], fault);
  }
});

test('an order that never arrives is given up, and cannot arrive late', async () => {
  const { seriesId } = await offered();
  const { server, at, posts } = await deaf();
  await venue('session approve', { at });
  const { code, stdout, stderr } = await venue(`buy ${seriesId} 3 --limit 0.02`, { at });
  server.close();
  assert.deepEqual([stdout, new Set(posts).size], ['', 1], stderr);
  assert.match(
    stderr,
    /^venue: no answer yet; .*\nvenue: .*: nothing was carried out, and nothing will be\n$/,
  );
  assert.equal(code, 3);
  const late = await fetch(`${market.url}/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: posts[0]!,
  });
  assert.deepEqual([late.status, await late.json()], [401, { error: 'nonce already used' }]);
  assert.equal(await done('orders'), 'no orders rest\n');
});

test('CID-1: a cancel and a guard whose nonce another program has used are carried out', async (t) => {
  const { seriesId } = await offered();
  const profile = '--profile shared';
  await done(`wallet new ${profile}`);
  let isLost = false;
  const { server, at: lossy } = await deaf(async (body) => {
    if (!isLost) return false;
    isLost = false;
    const { entries } = JSON.parse(readFileSync(join(home, 'shared/sessions.json'), 'utf8'));
    const stolen = signCancelOrder(entries[0], { orderId: 0 }, JSON.parse(body).nonce);
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(stolen) };
    assert.equal((await fetch(`${market.url}/v1/order/cancel`, request)).status, 200);
    return true;
  });
  t.after(() => server.close());
  await venue(`session approve ${profile}`, { at: lossy });
  await venue(`buy ${seriesId} 3 --limit 0.02 ${profile}`, { at: lossy });
  const openOrders = async () => (await json<OrderRecord[]>(`orders ${profile}`)).length;
  assert.equal(await openOrders(), 1);
  isLost = true;
  const cancelled = await venue(`cancel --all ${profile}`, { at: lossy });
  assert.deepEqual([cancelled.code, cancelled.stdout, await openOrders()], [0, '1 order is cancelled\n', 0]);
  isLost = true;
  const guarded = await venue(`guard 10m ${profile}`, { at: lossy });
  assert.match(guarded.stdout, /^all orders leave at /, guarded.stderr);
  assert.notEqual((await json<Account>(`account ${profile}`)).guardAt, null);
});

/** A proxy that drops the connection of every batch that is to be lost, and notes its body. */
async function deaf(
  isLost: (body: string) => Promise<boolean> = async () => true,
): Promise<{ server: Server; at: string; posts: string[] }> {
  const posts: string[] = [];
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await Array.fromAsync(incoming));
    if (incoming.url === '/v1/batch' && (await isLost(body.toString()))) {
      posts.push(body.toString());
      return response.destroy();
    }
    const headers = Object.entries(incoming.headers).filter(([name]) => /^(content-type|x-)/.test(name));
    const answer = await fetch(market.url + incoming.url, {
      method: incoming.method!,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const shown = [...answer.headers].filter(([name]) => /^(content-type$|x-)/.test(name));
    response.writeHead(answer.status, Object.fromEntries(shown)).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, at: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts };
}

test('a write whose answer cannot be parsed exits with 4, without a stack trace', async (t) => {
  const proxy = await FaultyProxy.start(market.url);
  t.after(() => proxy.stop());
  const profile = '--profile unreadable';
  await done(`wallet new ${profile}`);
  await venue(`session approve ${profile}`, { at: proxy.url });
  for (const fault of ['garble the answer', 'empty the answer'] as const) {
    proxy.fail('/v1/margin', fault);
    const { code, stdout, stderr } = await venue(`margin on ${profile}`, { at: proxy.url });
    assert.deepEqual([code, stdout], [4, ''], stderr);
    assert.match(stderr, /^( {2}.*\n)*venue: [^\n]+ is not known; [^\n]*nothing was sent again[^\n]*\n$/);
  }
});

test('fills are listed a page at a time, and all of them as CSV', async () => {
  const words = '--profile trader';
  await done(`wallet new ${words}`);
  const { privateKey } = JSON.parse(readFileSync(join(home, 'trader/wallet.json'), 'utf8'));
  const client = new VenueClient({ url: market.url });
  await client.auth.approveSession(walletFromPrivateKey(privateKey));
  const terms = { seriesId: (await offered()).seriesId, side: 'buy', qty: 0.001 } as const;
  // More than the venue returns in one answer.
  await Promise.all(Array.from({ length: 510 }, () => client.orders.place(terms)));
  const all = await Array.fromAsync(client.account.allFills());
  const idsOf = (csv: string) =>
    csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]));
  const ids = all.map(({ id }) => id);
  assert.ok(ids.length >= 510);
  assert.deepEqual(idsOf(await done(`fills --csv ${words}`)), ids);
  assert.deepEqual(idsOf(await done(`fills --csv --before ${ids[4]} ${words}`)), ids.slice(5));
  const hint = (shown: number, limit = '') =>
    `${shown} shown, older ones: venue fills --before ${ids[shown - 1]}${limit} ${words}`;
  assert.equal((await done(`fills ${words}`)).split('\n').at(-2), hint(50));
  assert.equal((await done(`fills --limit 3 ${words}`)).split('\n').at(-2), hint(3, ' --limit 3'));
  const cut = await venue(`fills --csv --limit 500 ${words}`);
  assert.deepEqual(
    [idsOf(cut.stdout), cut.stderr],
    [ids.slice(0, 500), `venue: ${hint(500, ' --limit 500')}\n`],
  );
  const whole = await done(`fills --limit ${ids.length} ${words}`);
  assert.equal(whole.split('\n').length, ids.length + 2);
  assert.ok(!whole.includes('older ones'));
});

test('linked into a folder on PATH it is a shell command, and completes', () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(join(ROOT, 'packages/cli/bin/venue'), join(bin, 'venue'));
  const program = 'set -eu; venue --version; source <(venue completion bash); complete -p venue';
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', program], {
    encoding: 'utf8',
    cwd: folder,
    env,
  });
  assert.deepEqual([status, stderr], [0, '']);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.deepEqual(stdout.split('\n').slice(0, 2), [version, 'complete -F _venue venue']);
});

test('completion loads in bash, and completes commands, options and their values', async () => {
  const script = join(folder, 'venue.bash');
  writeFileSync(script, await done('completion bash'));
  const lines = [
    'venue wal',
    'venue wallet ex',
    'venue buy X 1 --li',
    'venue margin o',
    'venue operator payouts --state c',
  ];
  const program = `set -eu; source '${script}'; complete -p venue
    for line in ${lines.map((line) => `'${line}'`).join(' ')}; do
      COMP_WORDS=($line); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _venue; echo "\${COMPREPLY[*]}"
    done`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', program], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    'complete -F _venue venue',
    'wallet',
    'export',
    '--limit',
    'on off',
    'committed',
  ]);
  for (const shell of ['zsh', 'fish']) assert.match(await done(`completion ${shell}`), /operator payouts/);
});
