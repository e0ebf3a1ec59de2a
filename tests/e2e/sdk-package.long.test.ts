/** The published package: its content, its size, and its use in an empty project. */

// @seconds 17

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { FEED_TOKEN, type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { buildSdk, type SdkBuild } from '../../scripts/build-sdk.ts';
import { faultsOf } from '../../scripts/sdk-package.ts';
import { skipBecause } from '../faults/machine.ts';
import { typeScriptOf, whyNoTypeScript } from '../wide/other-versions.ts';

/**
 * Bounds of the browser entry point, compressed with brotli, and with gzip for clients without brotli, a little above what
 * it has: a bundle that grows is noticed, and the commit that raises them says by what.
 */
const BROTLI_BYTES_MAX = 36_000;
const GZIP_BYTES_MAX = 40 * 1_024;
/** Chain clients, a schema library, and operators' functions do not belong in a browser. */
const FORBIDDEN = /viem|ethers|typebox|noble\/curves|\/wire\/|custody|operator|maker|feed|audit|quote-codec/;

const OLDEST_TYPESCRIPT = '5.2.2';

const folder = mkdtempSync(join(tmpdir(), 'venue-sdk-'));
const dist = join(folder, 'dist');
const project = join(folder, 'project');
let built: SdkBuild;
let exchange: LocalVenue;

before(async () => {
  built = await buildSdk(dist);
  const packed = npm(dist, 'pack', '--pack-destination', folder);
  execFileSync('mkdir', [project]);
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  npm(project, 'install', '--offline', '--ignore-scripts', '--no-audit', join(folder, packed.trim()));
  exchange = await pricedVenue();
});
after(async () => {
  await exchange?.exchange.stop();
  rmSync(folder, { recursive: true, force: true });
});

function npm(cwd: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** The machine's Node if it is 20 or later, else the one that runs this. */
function plainNode(): string {
  const { stdout } = spawnSync(
    'sh',
    ['-c', 'PATH=$(echo "$PATH" | tr : "\\n" | grep -v node_modules | paste -sd:); command -v node'],
    {
      encoding: 'utf8',
    },
  );
  const found = stdout.trim();
  const { stdout: version } = spawnSync(found || process.execPath, ['-v'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(version)?.[1]) >= 20 ? found : process.execPath;
}

const SAMPLE = `
import { type Account, OutcomeUnknownError, randomPrivateKey, RefusedError, VenueClient, VenueError, walletFromPrivateKey } from '@venue/sdk';
import { type PlaceResult, VenueClient as Small, walletFromPrivateKey as smallWallet } from '@venue/sdk/browser';
import { FeedWrites, Transport } from '@venue/sdk/operators';

const [url = '', feedToken = ''] = process.argv.slice(2);
const key = randomPrivateKey();
const venue = new VenueClient({ url });
const session = await venue.auth.approveSession(walletFromPrivateKey(key));
const account: Account = await venue.account.me();
const series = (await venue.market.series('BTC')).at(-1);
if (series === undefined) throw new Error('no series');
const small = new Small({ url });
await small.auth.approveSession(smallWallet(key));
const order: PlaceResult = await small.orders.place({ seriesId: series.seriesId, side: 'buy', qty: 0.5, price: 1 });
const refused = await small.market.book('none').catch((error: unknown) => error);
const { accepted } = await new FeedWrites(new Transport({ url }), feedToken).prints([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
const kinds = [new RefusedError(400, '') instanceof VenueError, new OutcomeUnknownError().verdict];
console.log(JSON.stringify([account.cash, session.account === account.address, order.status, String(refused), accepted, kinds]));
// @ts-expect-error a side is buy or sell
void small.orders.place({ seriesId: '', side: 'BUY', qty: 1 }).catch(() => {});
`;

test('the browser entry point stays below its size limit and contains nothing forbidden', () => {
  const { gzipBytes, brotliBytes, browserInputs } = built;
  assert.ok(brotliBytes < BROTLI_BYTES_MAX, `${brotliBytes} bytes by brotli`);
  assert.ok(gzipBytes < GZIP_BYTES_MAX, `${gzipBytes} bytes by gzip -9`);
  assert.deepEqual(
    browserInputs.filter((path) => FORBIDDEN.test(path)),
    [],
  );
  assert.ok(browserInputs.includes('packages/sdk/scripts/small-signing.ts'));
  assert.ok(existsSync(resolve('packages/sdk/src/operate/maker.ts')), 'what is forbidden has this name');
});

test('it needs no other package, and does not reveal where it was built', () => {
  const manifest = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies ?? manifest.private, undefined);
  assert.deepEqual(
    [manifest.type, manifest.sideEffects, manifest.license, manifest.engines.node],
    ['module', false, 'Apache-2.0', '>=20'],
  );
  const installed = join(project, 'node_modules/@venue/sdk');
  for (const file of ['README.md', 'LICENSE', 'THIRD-PARTY.txt', 'types/index.d.ts', 'vectors.json']) {
    assert.ok(existsSync(join(installed, file)), file);
  }
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  assert.match(readme, /^# The TypeScript client\n[\s\S]*\nVenueClientError\n/);
  assert.doesNotMatch(readme, /\]\((?!#|https?:)/, 'a link to a page that the package does not have');
  const files = globSync('**/*.{js,d.ts}', { cwd: installed });
  for (const file of files) {
    const written = readFileSync(join(installed, file), 'utf8');
    const imports = [...written.matchAll(/^(?:import|export)[^'"`;]*from ['"]([^'"]+)['"]/gm)].map(
      ([, from]) => from!,
    );
    for (const from of imports)
      assert.match(from, /^\.{1,2}\/(?:[\w-]+\/)?[\w-]+\.js$/, `${file} imports ${from}`);
    assert.equal(written.includes(resolve('.')), false, file);
    if (file.endsWith('.d.ts')) assert.doesNotMatch(written, /packages\/|\.ts['"]|sourceMappingURL/, file);
  }
  assert.ok(files.length > 20);
});

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const) {
  test(`a strict sample is typed, by the rules of ${moduleResolution}`, () => {
    writeProject({ module, moduleResolution, lib: ['es2024', 'dom'] });
    const { status, stdout } = spawnSync(
      resolve('node_modules/.bin/tsc'),
      ['-p', project, '--checkers', '1'],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(status, 0, stdout);
  });
}

test(`the oldest TypeScript that the page names, ${OLDEST_TYPESCRIPT}, reads the types`, {
  skip: skipBecause(whyNoTypeScript(OLDEST_TYPESCRIPT)),
}, () => {
  assert.match(readFileSync('docs/reference/sdk.md', 'utf8'), /by TypeScript 5\.2 and later/);
  const rules = { module: 'nodenext', moduleResolution: 'nodenext' };
  writeProject({ ...rules, lib: ['es2022', 'dom'] });
  const words = [typeScriptOf(OLDEST_TYPESCRIPT), '-p', project, '--noEmit'];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

// That they find none in the whole package, `npm run check` holds.
test('tools of its users find the faults of a package whose types are missing', async () => {
  const broken = join(folder, 'broken');
  cpSync(dist, broken, { recursive: true });
  rmSync(join(broken, 'types/index.d.ts'));
  const faults = (await faultsOf(broken)).join('\n');
  assert.match(faults, /^publint: .*types/m);
  assert.match(faults, /^attw: /m);
});

test('a build that fails leaves no folder behind', async () => {
  const outdir = join(folder, 'failed', 'dist');
  mkdirSync(join(outdir, 'old'), { recursive: true });
  await assert.rejects(
    buildSdk(outdir, () => Promise.reject(new Error('no such module'))),
    /no such module/,
  );
  assert.deepEqual(readdirSync(join(folder, 'failed')), []);
});

function writeProject(rules: { module: string; moduleResolution: string; lib: string[] }): void {
  writeFileSync(join(project, 'sample.ts'), SAMPLE);
  writeFileSync(join(project, 'process.d.ts'), 'declare const process: { argv: string[] };');
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const output = { target: 'es2022', types: [], outDir: 'out', skipLibCheck: false };
  const config = {
    compilerOptions: { ...strict, ...rules, ...output },
    files: ['sample.ts', 'process.d.ts'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
}

test("the sample trades with the plain modules, on the machine's Node", async () => {
  const child = spawn(plainNode(), ['out/sample.js', exchange.url, FEED_TOKEN], { cwd: project });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.deepEqual([(await ended)[0], err], [0, '']);
  assert.deepEqual(JSON.parse(out), [
    100_000,
    true,
    'rested',
    'NotFoundError: unknown series',
    1,
    [true, 'unknown'],
  ]);
});
