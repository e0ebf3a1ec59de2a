import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import {
  ExpiringVenue,
  OPERATOR_TOKEN,
  SETTLE_TOKEN_1,
  SETTLE_TOKEN_2,
} from '../../../exchange/test/expiring.ts';
import { runInProcess } from '../../test/in-process.ts';

let expiring: ExpiringVenue;
before(async () => {
  expiring = await ExpiringVenue.start();
  await expiring.expireAt({ a: 101_000 });
});
after(() => expiring.stop());

/** Runs `venue operator …` against the venue, with every secret unless overridden. */
function operator(words: string[], env: Record<string, string> = {}) {
  return runInProcess(['operator', ...words], {
    VENUE_URL: expiring.venue.url,
    VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    VENUE_SETTLE_TOKEN_1: SETTLE_TOKEN_1,
    VENUE_SETTLE_TOKEN_2: SETTLE_TOKEN_2,
    ...env,
  });
}

const verify = async (...words: string[]) => operator(['audit', '--verify', ...words]);
const headOf = (stdout: string) => /head ([0-9a-f]{64})\n$/.exec(stdout)![1]!;

test('an empty audit is intact', async () => {
  const { code, stdout } = await verify();
  assert.equal(code, 0);
  assert.match(stdout, /^audit: 0 entries, chain intact, head 0{64}\n$/);
});

test('FINE-1: a refusal by the exchange is one line and exit code 1', async () => {
  const series = expiring.series('C', 100_000);
  const WORDS: [string[], Record<string, string>, RegExp, number?][] = [
    [
      ['--series', series, '--price', '102000'],
      {},
      /^venue: price outside the bound of the last oracle print\n$/,
    ],
    [['--series', 'BTC-1-C-1', '--price', '1'], {}, /^venue: no such series or expiry\n$/],
    [
      ['--series', series, '--price', '100500'],
      { VENUE_SETTLE_TOKEN_2: SETTLE_TOKEN_1 },
      /^venue: wrong credential: .*\n$/,
    ],
    [
      ['--series', series, '--price', '100500'],
      { VENUE_SETTLE_TOKEN_1: '' },
      /^venue: VENUE_SETTLE_TOKEN_1 is not set: .*\n$/,
    ],
    [
      ['--series', series, '--price', '100500'],
      { VENUE_SETTLE_TOKEN_1: 'a b' },
      /^venue: VENUE_SETTLE_TOKEN_1 must be ASCII without spaces\n$/,
    ],
    [
      ['--series', series, '--price', '100500'],
      { VENUE_URL: 'http://127.0.0.1:1' },
      /^venue: no answer from .*\n$/,
      3,
    ],
    [
      ['--series', series, '--price', '100500'],
      { VENUE_URL: 'nowhere' },
      /^venue: VENUE_URL must be an http address, not "nowhere"\n$/,
    ],
    [
      ['--series', series, '--symbol', 'BTC', '--price', '1'],
      {},
      /^venue: settle takes either --series or --symbol with --expiry\n$/,
      2,
    ],
    [['--symbol', 'BTC', '--price', '1'], {}, /^venue: settle takes either .*\n$/, 2],
    [['--price', '1'], {}, /^venue: settle takes either .*\n$/, 2],
  ];
  for (const [words, env, message, exitCode = 1] of WORDS) {
    const { code, stdout, stderr } = await operator(['settle', ...words], env);
    assert.match(stderr, message);
    assert.deepEqual([code, stdout], [exitCode, '']);
  }
  for (const price of ['0', '-1', '1e5', 'x', '0.0000001', '9007199254.740991']) {
    const { code, stderr } = await operator(['settle', '--series', series, `--price=${price}`]);
    assert.equal(code, 2);
    assert.match(stderr, /^venue: --price must be [^\n]*\n$/);
  }
});

test('FINE-1: expiries awaiting review are listed with their anchor and the way out', async () => {
  const { code, stdout } = await operator(['review']);
  assert.equal(code, 0);
  assert.match(stdout, /^anchor +\d+\.\d\d USD$/m);
  const way = `venue operator settle --symbol BTC --expiry ${expiring.expiryTs} --price PRICE`;
  assert.ok(stdout.includes(way), stdout);
  const [review] = JSON.parse((await operator(['review', '--json'])).stdout);
  assert.deepEqual(review.series.toSorted(), expiring.all().toSorted());
});

test('FINE-1: an expiry is settled, and the result printed', async () => {
  const words = ['settle', '--symbol', 'btc', '--expiry', String(expiring.expiryTs), '--price', '100500'];
  const { code, stdout } = await operator(words);
  const time = new Date(expiring.expiryTs * 1_000).toISOString();
  assert.equal(code, 0);
  assert.equal(
    stdout,
    [
      `settled BTC ${expiring.expiryTs} (${time}) at 100500`,
      ...expiring.all().map((id) => `  ${id}`),
      '',
    ].join('\n'),
  );
});

test('PAY-3: the audit prints every attempt, and its chain is intact', async () => {
  const { stdout } = await operator(['audit']);
  assert.deepEqual(
    [...stdout.matchAll(/^ {2}(accepted|refused.*)$/gm)].map(([, outcome]) => outcome),
    [
      'refused: price outside the bound of the last oracle print',
      'refused: no such series or expiry',
      'refused: wrong credential',
      'accepted',
    ],
  );
  const { code, stdout: verdict } = await verify();
  assert.equal(code, 0);
  assert.match(verdict, /^audit: 4 entries, chain intact, head [0-9a-f]{64}\n$/);
});

test('PAY-3: --json is one value: the entries, or the verdict', async () => {
  const entries = JSON.parse((await operator(['audit', '--json'])).stdout);
  assert.deepEqual(entries, await expiring.audit());
  const verdict = JSON.parse((await verify('--json')).stdout);
  assert.deepEqual([verdict.count, verdict.head], [4, entries.at(-1).hash]);
  assert.equal((await operator(['review'])).stdout, 'nothing waits for review\n');
});

test('a head noted earlier stands in the chain; one that does not is named, with exit code 1', async () => {
  const noted = headOf((await verify()).stdout);
  await expiring.settle({}, {});
  const later = await operator(['audit', '--head', noted.toUpperCase()]);
  assert.equal(later.code, 0);
  assert.match(later.stdout, /^audit: 5 entries, chain intact/);
  const other = 'ab'.repeat(32);
  const foreign = await verify('--head', other);
  assert.deepEqual([foreign.code, foreign.stderr], [1, `venue: audit: no entry has the hash ${other}\n`]);
  assert.match((await verify('--head', 'abc')).stderr, /It must be 64 hex digits/);
});

test('the first entry that was tampered with is named, with exit code 1', async () => {
  const entries = await expiring.audit();
  const forged = entries.with(2, { ...entries[2], boundBps: 1_000 });
  const server = createServer((request, response) => {
    response.end(JSON.stringify({ entries: request.url!.endsWith('after=0') ? forged : [] }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const { code, stderr } = await operator(['audit', '--verify'], { VENUE_URL: `http://127.0.0.1:${port}` });
  server.close();
  assert.deepEqual([code, stderr], [1, 'venue: audit: entry 3 does not have the hash of what it says\n']);
});

test('the audit is only for the operators’ secret', async () => {
  for (const [token, message] of [
    ['', /^venue: VENUE_OPERATOR_TOKEN is not set: .*\n$/],
    ['wrong', /^venue: wrong credential: .*\n$/],
  ] as const) {
    const { code, stderr } = await operator(['audit', '--verify'], { VENUE_OPERATOR_TOKEN: token });
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
});

test('help explains both commands', async () => {
  assert.match((await operator(['--help'])).stdout, /^ {2}settle [\s\S]*^ {2}audit /m);
  assert.match(
    (await operator(['settle', '--help'])).stdout,
    /--expiry <seconds>[\s\S]*VENUE_SETTLE_TOKEN_2/,
  );
  assert.match((await operator(['audit', '--help'])).stdout, /--head <hash>[\s\S]*VENUE_OPERATOR_TOKEN/);
});

test('CLOCK-1: an operator, and nobody else, confirms the time of a node', async () => {
  const accepted = await operator(['clock']);
  assert.deepEqual([accepted.code, accepted.stdout], [0, 'the node takes the time of its clock for right\n']);
  const refused = await operator(['clock'], {
    VENUE_OPERATOR_TOKEN: 'wrong-secret-wrong-secret-wrong-secret',
  });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^venue: wrong credential/);
});
