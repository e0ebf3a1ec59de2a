/**
 * `venue init` on an empty root: what it writes for real money is started as its units start it, and `--check` finds
 * what was changed.
 */

// @seconds 8

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openLogReader } from '@venue/log';
import { unitEnvironment } from '../../packages/cli/src/init/unit.ts';
import { type Ended, runInProcess } from '../../packages/cli/test/in-process.ts';
import { HermesServer } from '../../packages/feed/test/hermes-server.ts';
import { KrakenServer } from '../../packages/feed/test/kraken-server.ts';
import { eventually, Launched } from '../e2e/launched.ts';
import { makeCertificate } from './certificate.ts';

const NO_DEFAULT = /VENUE_FEED_SOURCE is not set, and with real money prices have no default source/;
/** By `make-secrets`, with that of the log. */
const MADE_UP = ['operator', 'deposit', 'payout', 'attest', 'feed', 'maker', 'metrics']
  .map((name) => `${name}-token`)
  .concat('token-secret');

const [HOW_TO, DEPLOY] = ['docs/how-to', 'deploy'].map((path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url)),
) as [string, string];
const NAME = 'options.example.org';
const KEY = `0x${'4'.repeat(64)}`;
const RPC_URLS = 'http://127.0.0.1:9/key-of-a-provider,http://127.0.0.1:10';
const HASHES = ['1'.repeat(64), '2'.repeat(64)] as const;
const VAULT = {
  chainId: 31_337,
  vault: `0x${'a'.repeat(40)}`,
  token: `0x${'b'.repeat(40)}`,
  operator: `0x${'c'.repeat(40)}`,
  failsafe: `0x${'d'.repeat(40)}`,
  blockNumber: 7,
  txHash: `0x${'e'.repeat(64)}`,
  codeHash: `0x${'f'.repeat(64)}`,
};

describe('CFG-7, FEED-1: a venue with real money, as "venue init" sets it up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-init-'));
  const root = join(folder, 'root');
  const log = `sqlite:${join(folder, 'venue.db')}`;
  const given = (name: string) => join(folder, name);
  const place = (path: string) => join(root, path);
  const init = (...words: string[]) => runInProcess(['init', '--root', root, ...words], {});
  const WITHOUT_PEOPLE = [
    ...['--real-money', '--name', NAME, '--feed-source', 'crypto,pyth', '--vault', given('vault.json')],
    ...['--rpc-urls-file', given('rpc-urls'), '--log-file', given('log')],
    ...['--vault-operator-key-file', given('operator-key')],
  ];
  const MONEY = [
    ...WITHOUT_PEOPLE,
    ...['--operator', 'ann=operate,settle', '--operator', 'bo=custody,settle'],
  ];
  let made: Ended;
  let kraken: KrakenServer;
  let hermes: HermesServer;
  let exchange: Launched;
  let feedEnv: Record<string, string>;
  let url = '';

  before(async () => {
    kraken = await KrakenServer.start();
    hermes = await HermesServer.start();
    writeFileSync(given('vault.json'), JSON.stringify(VAULT));
    writeFileSync(given('rpc-urls'), `${RPC_URLS}\n`);
    writeFileSync(given('operator-key'), `${KEY}\n`);
    writeFileSync(given('log'), log);
    made = await init(...MONEY);
    exchange = new Launched(['exchange'], {
      env: {
        ...environmentOf('exchange'),
        VENUE_PORT: '0',
        VENUE_DRAIN_MS: '0',
        VENUE_HISTORY: join(folder, 'history.db'),
        VENUE_FILES: 'off',
      },
    });
    [, url = ''] = await exchange.says(/exchange listening on (\S+?)"?[\s,]/);
    feedEnv = {
      ...environmentOf('feed'),
      ...{ VENUE_URL: url, VENUE_CRYPTO_URL: kraken.url, VENUE_PYTH_URL: hermes.url },
      VENUE_FEED_METRICS_PORT: '',
    };
  });
  const certify = (days: number) =>
    makeCertificate(place(`etc/letsencrypt/live/${NAME}`), { names: `DNS:${NAME}`, days });
  /** The environment that systemd would give the process, with the root's folder in place of `/`. */
  const environmentOf = (name: string) => unitEnvironment(root, name) as Record<string, string>;
  after(async () => {
    exchange.end();
    await kraken.stop();
    await hermes.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('CFG-7: it ends with what people do next, and shows no secret', () => {
    assert.deepEqual([made.code, made.stderr], [0, '']);
    const people = ['handover/ann', 'handover/bo'];
    const secrets = [
      ...readdirSync(place('etc/venue/secrets')).filter((name) => name !== 'handover'),
      ...readdirSync(place('etc/venue/secrets/handover')).map((name) => `handover/${name}`),
    ];
    const given = ['log', 'rpc-urls', 'vault-operator-key', 'operators', ...people];
    assert.deepEqual(secrets.sort(), [...MADE_UP, ...given].sort());
    for (const name of secrets) {
      const text = readFileSync(place(`etc/venue/secrets/${name}`), 'utf8').trim();
      assert.ok(!made.stdout.includes(text), name);
      assert.equal(statSync(place(`etc/venue/secrets/${name}`)).mode & 0o777, 0o600, name);
    }
    assert.equal(statSync(place('etc/venue/secrets')).mode & 0o777, 0o700);
    assert.match(
      made.stdout,
      /systemctl enable --now venue-exchange venue-feed venue-maker venue-watcher venue-batcher\n/,
    );
    assert.match(made.stdout, / {2}bo \(settle,custody\) takes \/etc\/venue\/secrets\/handover\/bo away/);
    assert.match(
      made.stdout,
      /operators' page\n {2}venue operator bind --file vault\.json --funder "\$FUNDER" {2}# the second/,
    );
  });

  test('CFG-7: it ends with the pages of what it does not set up, those of real money only with that', async () => {
    const paper = await runInProcess(
      ['init', '--root', join(folder, 'paper'), '--name', NAME, '--feed-source', 'simulated'],
      {},
    );
    const pagesIn = (said: string) => said.split('\nNot set up, ')[1]!.match(/^ {2}\S+\.md(?= {1,})/gm)!;
    const [ofPaper, ofMoney] = [pagesIn(paper.stdout), pagesIn(made.stdout)];
    for (const page of ofMoney) assert.ok(existsSync(join(HOW_TO, page.trim())), page);
    for (const unit of globSync('*.{timer,service}', { cwd: join(DEPLOY, 'systemd') })) {
      const started = /systemctl enable --now (.*)/.exec(made.stdout)![1]!.split(' ');
      const name = unit.replace(/@?\.\w+$/, '');
      const isOnPage = (page: string) => readFileSync(join(HOW_TO, page.trim()), 'utf8').includes(name);
      assert.ok(started.includes(name) || ofMoney.some(isOnPage), unit);
    }
    assert.deepEqual(
      ofMoney.filter((page) => !ofPaper.includes(page)).map((page) => page.trim()),
      ['contract-wallets.md', 'run-custody.md'],
    );
  });

  test('CFG-7, OPS-2: the secret that waits for each operator is theirs at the exchange', async () => {
    const read = async (secret: string) => {
      const { status } = await fetch(`${url}/v1/operator/audit`, { headers: { 'x-operator-token': secret } });
      return status;
    };
    for (const name of ['ann', 'bo'])
      assert.equal(await read(readFileSync(place(`etc/venue/secrets/handover/${name}`), 'utf8').trim()), 200);
    assert.equal(await read('of nobody'), 403);
    assert.doesNotMatch(readFileSync(place('etc/venue/exchange.env'), 'utf8'), /^VENUE_SETTLE_HASH/m);
  });

  test('CFG-7: two who settle with secrets without names hand over hashes instead', async () => {
    const other = join(folder, 'hashes');
    const words = ['--settle-hash-1', HASHES[0], '--settle-hash-2', HASHES[1]];
    const { code, stdout } = await runInProcess(['init', '--root', other, ...WITHOUT_PEOPLE, ...words], {});
    assert.equal(code, 0);
    const [, people = ''] = stdout.split('two people, each on a machine of their own');
    const binds = (one: number) =>
      `\n  VENUE_SETTLE_TOKEN_${one}_FILE=~/settle-token venue operator bind --file vault.json --funder "$FUNDER"  # `;
    for (const one of [1, 2]) assert.ok(people.includes(binds(one)), people);
    const { VENUE_SETTLE_HASH_1, VENUE_SETTLE_HASH_2 } = unitEnvironment(other, 'exchange')!;
    assert.deepEqual([VENUE_SETTLE_HASH_1, VENUE_SETTLE_HASH_2], HASHES);
    assert.ok(!existsSync(join(other, 'etc/venue/secrets/operators')));
  });

  test('CFG-7: a run that was killed in the middle does not stop the next, which leaves nothing of it', () => {
    const other = join(folder, 'killed');
    const run = (last: string) => `
      import { writeAll } from '${new URL('../../packages/cli/src/init/write.ts', import.meta.url)}';
      const file = (path, text) => ({ path, text });
      writeAll('${other}', [
        file('/etc/venue/feed.env', 'a'),
        file('/etc/venue/secrets/log', 'b'),
        file('/etc/venue/maker.env', 'c'),
        ${last},
      ]);`;
    const start = (last: string) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', run(last)], { encoding: 'utf8' });
    const killed = start(
      `{ path: '/etc/sysusers.d/x', get text() { process.kill(process.pid, 'SIGKILL'); } }`,
    );
    assert.equal(killed.signal, 'SIGKILL');
    assert.ok(
      existsSync(join(other, 'etc/venue/maker.env')) && !existsSync(join(other, 'etc/venue/secrets')),
    );
    const next = start(`file('/etc/venue/exchange.env', 'd')`);
    assert.deepEqual([next.status, next.stderr], [0, '']);
    assert.equal(readFileSync(join(other, 'etc/venue/secrets/log'), 'utf8'), 'b');
    assert.deepEqual(globSync('**/*.venue-init', { cwd: other }), []);
    const mine = join(other, 'etc/venue/feed.env');
    rmSync(join(other, 'etc/venue/secrets'), { recursive: true });
    assert.match(start(`file('/etc/x', 'd')`).stderr, new RegExp(`${mine} is there already`));
    assert.equal(readFileSync(mine, 'utf8'), 'a');
  });

  test('CFG-7: of two runs at once one writes everything, the other nothing', async () => {
    const other = join(folder, 'twice');
    const both = [0, 1].map(() => new Launched(['init', '--root', other, ...MONEY], { env: {} }));
    const codes = await Promise.all(both.map((one) => one.exits()));
    assert.deepEqual(codes.toSorted(), [0, 1], both.map(({ output }) => output).join('\n'));
    const refused = both[codes.indexOf(1)]!.output;
    assert.match(refused, /^venue: (?:another "venue init" is writing below|\S+ is there already)[^\n]*\n$/);
    const files = (root: string) => globSync('etc/**/*', { cwd: root }).sort();
    assert.deepEqual(files(other), files(root));
    const { code, stdout } = await runInProcess(['init', '--root', other, '--check'], {});
    assert.equal(code, 1);
    const wrong = stdout.split('\n').filter((line) => line.startsWith('wrong'));
    assert.equal(wrong.length, 3, 'two secrets that wait, and a certificate');
  });

  test('CFG-7: while another run writes, nothing is written', async () => {
    const other = join(folder, 'held');
    mkdirSync(join(other, 'etc'), { recursive: true });
    using lock = new DatabaseSync(join(other, 'etc/venue-init.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    const { code, stderr } = await runInProcess(['init', '--root', other, ...MONEY], {});
    assert.equal(code, 1);
    assert.match(stderr, /^venue: another "venue init" is writing below /);
    assert.ok(!existsSync(join(other, 'etc/venue')));
  });

  test('CFG-7: every answer stands where its process reads it', () => {
    const { VENUE_FUNDING_MODE, VENUE_OPERATORS_FILE } = environmentOf('exchange');
    assert.deepEqual(
      [VENUE_FUNDING_MODE, VENUE_OPERATORS_FILE],
      ['deposits', place('etc/venue/secrets/operators')],
    );
    assert.deepEqual(
      [feedEnv.VENUE_FEED_SOURCE, environmentOf('batcher').VENUE_BATCHER_METRICS_PORT],
      ['crypto,pyth', '9104'],
    );
    for (const name of ['watcher', 'batcher']) {
      const { VENUE_CHAIN_ID, VENUE_VAULT_ADDRESS, VENUE_VAULT_FROM_BLOCK } = environmentOf(name);
      assert.deepEqual(
        [VENUE_CHAIN_ID, VENUE_VAULT_ADDRESS?.toLowerCase(), VENUE_VAULT_FROM_BLOCK],
        [String(VAULT.chainId), VAULT.vault, String(VAULT.blockNumber)],
      );
    }
    assert.match(
      readFileSync(place('etc/nginx/machine/listen.conf'), 'utf8'),
      new RegExp(`server_name ${NAME};`),
    );
  });

  test('CFG-7: it overwrites nothing, and refuses answers that no process takes before it writes', async () => {
    const again = await init(...MONEY);
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(again.stderr, /^venue: \S+ is there already, and nothing was written: .*\n$/);
    const empty = join(folder, 'empty');
    for (const [words, fault] of [
      [['--name', NAME], /give --feed-source/],
      [['--name', NAME, '--feed-source', 'rumours'], /--feed-source must be .*, not "rumours"/],
      [['--name', 'a;b', '--feed-source', 'simulated'], /--name must be a name/],
      [[...MONEY, '--feed-source', 'simulated'], /real money takes no simulated prices/],
      [[...MONEY, '--rpc-urls-file', given('operator-key')], /--rpc-urls-file must be (?!.*0x4)/],
      [
        ['--name', NAME, '--feed-source', 'simulated', '--settle-hash-1', HASHES[0]],
        /goes with --real-money/,
      ],
      [WITHOUT_PEOPLE, /give --operator, or both of --settle-hash-1 and -2/],
      [[...WITHOUT_PEOPLE, '--operator', 'ann=settle'], /settle takes two, operate takes one, custody/],
      [[...MONEY, '--operator', 'ann=read'], /--operator ann=read: ann is named already/],
      [[...MONEY, '--operator', 'Cy=read'], /--operator Cy=read: a name must be/],
      [[...MONEY, '--operator', 'cy'], /--operator cy: roles must be/],
      [[...MONEY, '--settle-hash-1', HASHES[0]], /nobody has the role settle: leave one/],
      [['--name', NAME, '--feed-source', 'simulated', '--operator', 'ann=read'], /goes with --real-money/],
      [[...MONEY, '--root', ''], /--root.*it must name a folder/],
    ] as const) {
      const { code, stderr } = await runInProcess(['init', '--root', empty, ...words], {});
      assert.equal(code, 2, stderr);
      assert.match(stderr, fault);
    }
    assert.ok(!existsSync(empty));
  });

  test('CFG-7: a place that cannot be written leaves nothing behind', async () => {
    const other = join(folder, 'other');
    mkdirSync(join(other, 'etc'), { recursive: true });
    writeFileSync(join(other, 'etc/nginx'), 'a file where a folder belongs');
    const { code, stderr } = await runInProcess(['init', '--root', other, ...MONEY], {});
    assert.equal(code, 1);
    assert.match(stderr, /cannot be written/);
    assert.deepEqual(globSync('etc/**/*.{env,service,json}', { cwd: other }), []);
    assert.ok(!existsSync(join(other, 'etc/venue/secrets')));
  });

  test('CFG-7: --check finds all well but the certificate, and whatever is changed after', async () => {
    const check = async () => {
      const { code, stdout } = await init('--check');
      return { code, wrong: stdout.split('\n').filter((line) => line.startsWith('wrong')) };
    };
    const certificate = `wrong nginx: no certificate for ${NAME} at ${place(`etc/letsencrypt/live/${NAME}/fullchain.pem`)}`;
    const handed = ['ann', 'bo'].map((name) => place(`etc/venue/secrets/handover/${name}`));
    const { wrong: first } = await check();
    assert.deepEqual(
      first.filter((line) => !/handover/.test(line)),
      [certificate],
    );
    assert.deepEqual(
      handed.map((path) => first.some((line) => line.includes(path))),
      [true, true],
    );
    for (const path of handed) rmSync(path);
    certify(60);
    assert.deepEqual(await check(), { code: 0, wrong: [] });
    const changes: readonly (readonly [string, (text: string) => string, RegExp])[] = [
      ['etc/venue/feed.env', (text) => text.replace(/=.*/, '=simulated'), /live prices/],
      [
        'etc/systemd/system/venue-exchange.service.d/operators.conf',
        () => '[Service]\n',
        /HASH_2 is not set/,
      ],
      ['etc/venue/batcher.env', (text) => text.replace(/0x[aA]{2}/, '0xbb'), /differ in VENUE_VAULT_ADDRESS/],
      [
        'etc/venue/watcher.env',
        (text) => `${text}VENUE_CONFIRMATION=3\n`,
        /watcher: VENUE_CONFIRMATION is unknown/,
      ],
      ['etc/systemd/system/venue-feed.service', (text) => `${text}\n`, /is not that of this release/],
      [
        'etc/nginx/machine/listen.conf',
        (text) => text.replace(/server_name .*;/, 'server_name b.example;'),
        /not for b/,
      ],
    ];
    for (const [path, change, fault] of changes) {
      const text = readFileSync(place(path), 'utf8');
      writeFileSync(place(path), change(text));
      const { code, wrong } = await check();
      writeFileSync(place(path), text);
      assert.equal(code, 1, path);
      assert.ok(
        wrong.some((line) => fault.test(line)),
        `${path}: ${wrong.join('\n')}`,
      );
    }
    chmodSync(place('etc/venue/secrets/feed-token'), 0o644);
    const { wrong } = await check();
    chmodSync(place('etc/venue/secrets/feed-token'), 0o600);
    assert.ok(
      wrong.some((line) => /feed-token is open to others/.test(line)),
      wrong.join('\n'),
    );
    certify(3);
    assert.match((await check()).wrong.join(), /ends in [23] days/);
  });

  test('without a source the feed does not start and says why in one line, and so does --check', async () => {
    const { VENUE_FEED_SOURCE, ...env } = feedEnv;
    assert.ok(VENUE_FEED_SOURCE);
    for (const argv of [['feed'], ['feed', '--check']]) {
      const feed = new Launched(argv, { env });
      assert.equal(await feed.exits(), 1);
      assert.equal(feed.output.split('\n').filter((line) => NO_DEFAULT.test(line)).length, 1, feed.output);
    }
    assert.deepEqual(await sourcesOf(log), []);
  });

  test('simulated prices are refused, by the exchange too', async () => {
    const env = { ...feedEnv, VENUE_FEED_SOURCE: 'simulated' };
    const feed = new Launched(['feed'], { env });
    assert.equal(await feed.exits(), 1);
    assert.match(feed.output, /has real money and takes no simulated prices/);
    const token = readFileSync(place('etc/venue/secrets/feed-token'), 'utf8').trim();
    const response = await fetch(`${url}/v1/feed/prints`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-feed-token': token },
      body: JSON.stringify({ prints: [{ symbol: 'BTC', source: 'sim:trades', price: 1 }] }),
    });
    assert.equal(response.status, 400);
    assert.deepEqual(await sourcesOf(log), []);
  });

  test('with what init wrote every price is live, and the venue says that none is simulated', async () => {
    const feed = new Launched(['feed'], { env: feedEnv });
    const timer = setInterval(() => kraken.trade('BTC/USD', 95_000), 100);
    try {
      const sources = await eventually('prices are taken', async () => {
        const found = await sourcesOf(log);
        return found.length > 0 ? found : undefined;
      });
      assert.ok(
        sources.every((one) => /^(?:kraken|pyth):/.test(one)),
        sources.join(),
      );
      const venue = (await (await fetch(`${url}/v1/venue`)).json()) as Record<string, unknown>;
      assert.deepEqual([venue.fundingMode, venue.simulatedPrices], ['deposits', false]);
    } finally {
      clearInterval(timer);
      feed.end();
    }
  });
});

/** The sources of all prints in the log. */
async function sourcesOf(log: string): Promise<string[]> {
  const reader = await openLogReader(log);
  try {
    const { seq } = await reader.head();
    const entries = await reader.readEntries(1, seq);
    const prints = entries.filter(({ kind }) => kind === 'prints');
    const bodies = prints.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
    return [...new Set(bodies.flatMap((one) => one.prints.map((print: { source: string }) => print.source)))];
  } finally {
    await reader.close();
  }
}
