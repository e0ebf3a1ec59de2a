import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { parseSignature, personalDigest, recoverAddress } from '@venue/protocol';
import { exportSession, randomPrivateKey, walletFromPrivateKey } from '../sign/wallet.ts';
import { VenueClient } from './client.ts';
import { openChannels } from './open-channels.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly token: string | string[] | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown> | null;
}

const wallet = walletFromPrivateKey(randomPrivateKey());
const seen: Seen[] = [];
/** The answer for each path; any other path answers an empty object. */
const answers = new Map<string, object>();

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { method, url, headers } = request;
  seen.push({
    method,
    url,
    token: headers['x-paper-token'],
    headers,
    body: text === '' ? null : JSON.parse(text),
  });
  response.end(JSON.stringify(answers.get(url!) ?? answers.get(url!.split('?')[0]!) ?? {}));
});

let venue: VenueClient;
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());
beforeEach(() => {
  seen.length = 0;
  answers.clear();
  answers.set('/v1/auth/session', { token: 'the-token' });
  venue = new VenueClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

function signerOf(text: string, signature: unknown) {
  return recoverAddress(personalDigest(text), parseSignature(String(signature))!)?.address;
}

test('the margin report is read with the token', async () => {
  await venue.auth.approveSession(wallet);
  answers.set('/v1/margin', { locked: 5 });
  assert.deepEqual(await venue.account.margin(), { locked: 5 });
  const { method, url, token, body } = seen.at(-1)!;
  assert.deepEqual([method, url, token, body], ['GET', '/v1/margin', 'the-token', null]);
});

test('a preview is posted with the token and without a signature', async () => {
  await venue.auth.approveSession(wallet);
  const terms = { seriesId: 'BTC-1-C-1', side: 'buy', qty: 1, price: 2, postOnly: true } as const;
  answers.set('/v1/order/preview', { status: 'rested' });
  assert.deepEqual(await venue.orders.preview(terms), { status: 'rested' });
  const { method, url, token, body } = seen.at(-1)!;
  const { clientId } = body as { readonly clientId: string };
  const asked = { ...terms, type: 'place', clientId };
  assert.deepEqual([method, url, token, body], ['POST', '/v1/order/preview', 'the-token', asked]);
});

test('margin is switched by a signed write once a session is approved, and by token before', async () => {
  await venue.orders.setMargin(true);
  assert.deepEqual([seen.at(-1)!.url, seen.at(-1)!.body], ['/v1/margin', { enabled: true }]);
  const { account, sessionKey } = await venue.auth.approveSession(wallet);
  await venue.orders.setMargin(false);
  const { nonce, signature, ...rest } = seen.at(-1)!.body!;
  assert.deepEqual(rest, { enabled: false, sessionKey });
  const text = `Venue margin v1\naccount: ${account}\nenabled: false\nnonce: ${nonce}`;
  assert.equal(signerOf(text, signature), sessionKey);
});

test('KEY-3: a revocation names the expiry in force, which is looked up if not given', async () => {
  const { account, sessionKey } = await venue.auth.approveSession(wallet);
  const text = (expires: number) =>
    `Venue: revoke a trading session.\n\nAccount: ${account}\nSession key: ${sessionKey}\nExpires: ${expires}`;
  answers.set('/v1/auth/session', { sessions: [{ sessionKey, expiresAt: 1_234 }] });
  answers.set('/v1/auth/session/revoke', { ok: true, sessionKey, revokedAt: 1 });
  assert.deepEqual(await venue.auth.revokeSession(wallet, sessionKey.toUpperCase().replace('0X', '0x')), {
    ok: true,
    sessionKey,
    revokedAt: 1,
  });
  const { signature, ...rest } = seen.at(-1)!.body!;
  assert.deepEqual(rest, { address: account, sessionKey });
  assert.equal(signerOf(text(1_234), signature), account);

  seen.length = 0;
  await venue.auth.revokeSession(wallet, sessionKey, { expiresAtMs: 2_000_000_000_000 });
  assert.equal(signerOf(text(2_000_000_000_000), seen[0]!.body!.signature), account);
  assert.equal(seen.length, 1);
});

test('KEY-3: no revocation is signed for a key that is not live', async () => {
  answers.set('/v1/auth/session', { sessions: [] });
  await assert.rejects(venue.auth.revokeSession(wallet, wallet.address), RangeError);
  assert.equal(seen.length, 1);
  await assert.rejects(venue.auth.revokeSession(wallet, '0x12'), TypeError);
});

test('FINE-1: a settlement by hand carries both secrets, and settlements are read without any', async () => {
  answers.set('/v1/settlements', { settlements: [] });
  assert.deepEqual(await venue.market.settlements('BTC'), { settlements: [] });
  assert.equal(seen.at(-1)!.url, '/v1/settlements?symbol=BTC');
  const request = { seriesId: 'BTC-1-C-1', price: 2 };
  answers.set('/v1/operator/settle', { ok: true });
  const tokens = { token1: 'one', token2: 'two' };
  assert.deepEqual(await venue.operator.settle(request, tokens), { ok: true });
  const { method, body, headers } = seen.at(-1)!;
  assert.deepEqual([method, body], ['POST', request]);
  assert.deepEqual([headers['x-settle-token-1'], headers['x-settle-token-2']], ['one', 'two']);
});

test('HIS-1, HIS-2: trades and candles are asked for page by page, from where the answer says', async () => {
  const trade = { id: 8, seriesId: 'BTC-1-C-1', price: 1, qty: 1, side: 'buy', ts: 1 };
  answers.set('/v1/trades?symbol=BTC', { trades: [trade], before: 8 });
  answers.set('/v1/trades', { trades: [trade] });
  seen.length = 0;
  assert.equal((await Array.fromAsync(venue.market.allTrades({ symbol: 'BTC' }))).length, 2);
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/v1/trades?symbol=BTC', '/v1/trades?symbol=BTC&before=8'],
  );
  const candle = { t: 0, o: 1, h: 1, l: 1, c: 1 };
  answers.set('/v1/candles?of=spot%3ABTC&interval=1m&from=0', { candles: [candle], next: 1_764_374_400_000 });
  answers.set('/v1/candles', { candles: [candle] });
  seen.length = 0;
  const span = { of: 'spot:BTC', interval: '1m', from: 0 } as const;
  assert.equal((await Array.fromAsync(venue.market.allCandles(span))).length, 2);
  assert.deepEqual(
    seen.map(({ url }) => new URLSearchParams(url!.split('?')[1]).get('from')),
    ['0', '1764374400000'],
  );
  await assert.rejects(venue.market.candles({ ...span, from: 1_764_374_400 }), RangeError);
});

test('HIS-4: samples of the hour are asked for page by page, from where the answer says', async () => {
  const hour = 1_764_374_400_000;
  const span = { from: 0 } as const;
  const of = { symbol: 'BTC', expiryTs: 1_795_827_600 };
  answers.set('/v1/iv?symbol=BTC&expiryTs=1795827600&from=0', {
    rows: [{ t: hour, iv: 0.5 }],
    next: hour + 1,
  });
  answers.set('/v1/iv', { rows: [{ t: hour + 1, iv: 0.6 }] });
  answers.set('/v1/volatility?symbol=BTC&from=0', {
    index: 50,
    rows: [{ t: hour, index: 49 }],
    next: hour + 1,
  });
  answers.set('/v1/volatility', { index: 50, rows: [] });
  answers.set('/v1/equity?from=0', { rows: [{ t: hour, equity: 5 }], next: hour + 1 });
  answers.set('/v1/equity', { rows: [{ t: hour + 1, equity: 6 }] });
  seen.length = 0;
  assert.deepEqual(
    (await Array.fromAsync(venue.market.allIv(of, span))).map(({ iv }) => iv),
    [0.5, 0.6],
  );
  assert.equal((await Array.fromAsync(venue.market.allVolatility('BTC', span))).length, 1);
  assert.deepEqual(
    (await Array.fromAsync(venue.account.allEquity(span))).map(({ equity }) => equity),
    [5, 6],
  );
  assert.deepEqual(
    seen.map(({ url }) => new URLSearchParams(url!.split('?')[1]).get('from')),
    ['0', '1764374400001', '0', '1764374400001', '0', '1764374400001'],
  );
  assert.equal((await venue.market.volatility('BTC')).index, 50);
  await assert.rejects(venue.market.iv({ ...of, expiryTs: hour }), RangeError);
  await assert.rejects(venue.market.volatility('BTC', { from: 1_764_374_400 }), RangeError);
  await assert.rejects(venue.account.equity({ to: 1_764_374_400 }), RangeError);
});

test('CUS-10: of a settlement by two people each call carries one secret', async () => {
  const request = { seriesId: 'BTC-1-C-1', price: 2 };
  answers.set('/v1/operator/settle/propose', { ok: true, id: 7 });
  answers.set('/v1/operator/settle/confirm', { ok: true });
  const { id } = await venue.operator.propose(request, { which: 2, token: 'two' });
  assert.deepEqual(seen.at(-1)!.body, request);
  await venue.operator.confirm({ id, ...request }, { which: 1, token: 'one' });
  assert.deepEqual(seen.at(-1)!.body, { id: 7, ...request });
  assert.deepEqual(
    seen.slice(-2).map(({ headers }) => [headers['x-settle-token-1'], headers['x-settle-token-2']]),
    [
      [undefined, 'two'],
      ['one', undefined],
    ],
  );
});

test('PAY-3: the audit is read page by page until a page leads nowhere', async () => {
  const page = (...numbers: number[]) => ({ entries: numbers.map((n) => ({ n })) });
  answers.set('/v1/operator/audit?after=1', page(2, 3));
  answers.set('/v1/operator/audit?after=3', page(4));
  answers.set('/v1/operator/audit?after=4', page());
  const numbers = [];
  for await (const { n } of venue.operator.audit('secret', 1)) numbers.push(n);
  assert.deepEqual(numbers, [2, 3, 4]);
  assert.equal(seen.length, 3);
  assert.ok(seen.every(({ headers }) => headers['x-operator-token'] === 'secret'));
  answers.set('/v1/operator/audit?after=4', page(4));
  assert.equal((await Array.fromAsync(venue.operator.audit('secret', 4))).length, 1);
});

test('ACC-4: fills are read page by page, as the venue says where to continue', async () => {
  answers.set('/v1/fills?before=5', { fills: [{ id: 4 }] });
  answers.set('/v1/fills', { fills: [{ id: 6 }, { id: 5 }], before: 5 });
  const ids = [];
  for await (const { id } of venue.account.allFills()) ids.push(id);
  assert.deepEqual(ids, [6, 5, 4]);
  answers.set('/v1/fills?before=6&limit=1', { fills: [{ id: 5 }], before: 5 });
  assert.deepEqual(await venue.account.fills({ before: 6, limit: 1 }), [{ id: 5 }]);
});

test('a statement is requested with its span, and its rows page by page to the same end', async () => {
  const [from, to] = [1_700_000_000_000, 1_700_000_100_000];
  answers.set(`/v1/statement?from=${from}&to=${to}&next=1-0`, { rows: [{ id: '2-0' }], to });
  answers.set(`/v1/statement?from=${from}`, { rows: [{ id: '1-0' }], next: '1-0', to });
  const ids = [];
  for await (const { id } of venue.account.statementRows({ from })) ids.push(id);
  assert.deepEqual(ids, ['1-0', '2-0']);
  await venue.account.statement({ to });
  assert.equal(seen.at(-1)!.url, `/v1/statement?to=${to}`);
});

test('a token is renewed by the approval that the wallet signed once, or else by the wallet', async () => {
  let signatures = 0;
  const counting = {
    ...wallet,
    signMessage: (parameters: { message: string }) => {
      signatures += 1;
      return wallet.signMessage(parameters);
    },
  };
  await assert.rejects(venue.auth.renew(), TypeError);
  answers.set('/v1/auth/challenge', { message: 'sign' });
  answers.set('/v1/auth/verify', { token: 'second', account: {} });
  await venue.auth.signIn(counting);
  await venue.auth.renew();
  assert.deepEqual([venue.token, signatures], ['second', 2]);
  const session = await venue.auth.approveSession(counting);
  answers.set('/v1/auth/session', { token: 'third' });
  const later = new VenueClient({ url: venue.url });
  later.auth.useSession(JSON.parse(JSON.stringify(exportSession(session))));
  assert.throws(
    () => later.auth.useSession(JSON.parse(JSON.stringify(session))),
    /keep exportSession\(session\)/,
  );
  assert.equal(later.token, null);
  await later.auth.renew();
  assert.deepEqual([later.token, signatures], ['third', 3]);
  assert.deepEqual(seen.at(-1)!.body!.signature, session.approval);
});

test('a runtime without WebSocket is reported, and a given one is used', async () => {
  const found = globalThis.WebSocket;
  try {
    Reflect.deleteProperty(globalThis, 'WebSocket');
    assert.throws(() => openChannels(venue), /this runtime has no WebSocket: .* ws package/);
    await assert.rejects(venue.stream({ onFrame: () => {} }), /this runtime has no WebSocket/);
    const given = new VenueClient({ url: venue.url, webSocket: found });
    await assert.rejects(given.stream({ onFrame: () => {} }), /no stream from/);
  } finally {
    globalThis.WebSocket = found;
  }
});

test('SIG-5: nonces and the end of a session follow the given clock', async () => {
  const aheadMs = 7 * 60_000;
  const now = () => Date.now() + aheadMs;
  const ahead = new VenueClient({ url: venue.url, now });
  const startedMs = now();
  const session = await ahead.auth.approveSession(wallet, { lifetimeMs: 60_000 });
  assert.ok(session.expiresAtMs - 60_000 >= startedMs && session.expiresAtMs - 60_000 <= now());
  await ahead.orders.cancel();
  await ahead.orders.cancel();
  const [first, second] = seen.slice(-2).map(({ body }) => Number(body!.nonce));
  assert.ok(first! >= startedMs && second! > first!);
});

test('SIG-4: nonces come from the given source, by the address of the session key', async () => {
  const asked: string[] = [];
  const nonceOf = async (sessionKey: string) => 1_000 + asked.push(sessionKey);
  const shared = new VenueClient({ url: venue.url, nonceOf });
  const { sessionKey } = await shared.auth.approveSession(wallet);
  await shared.orders.cancel();
  await shared.orders.setMargin(true);
  assert.deepEqual(
    seen.slice(-2).map(({ body }) => body!.nonce),
    [1_001, 1_002],
  );
  assert.deepEqual(asked, [sessionKey, sessionKey]);
});
