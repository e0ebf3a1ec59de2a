/**
 * Checks the shape of the code: which package may import which, the rooms of each package, how large files and folders may
 * become, and what the engine may use.
 */

import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ALL = [
  'protocol',
  'config',
  'telemetry',
  'engine',
  'log',
  'replay',
  'audit',
  'exchange',
  'sdk',
  'feed',
  'maker',
  'crowd',
  'vault',
  'checker',
  'push',
  'web',
];

/** Packages of this project that each package may import. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  config: ['protocol'],
  telemetry: [],
  engine: ['protocol'],
  log: [],
  replay: ['engine', 'log', 'protocol'],
  audit: ['replay', 'engine', 'log', 'protocol'],
  exchange: ['config', 'telemetry', 'replay', 'engine', 'log', 'protocol'],
  sdk: ['protocol'],
  feed: ['config', 'telemetry', 'sdk', 'protocol'],
  maker: ['config', 'telemetry', 'sdk', 'protocol'],
  crowd: ['config', 'sdk', 'protocol'],
  vault: ['config', 'telemetry', 'sdk', 'protocol'],
  checker: ['config', 'telemetry', 'vault', 'audit', 'engine', 'protocol'],
  push: ['config', 'telemetry', 'replay', 'engine', 'log', 'protocol'],
  web: ['sdk', 'protocol'],
  cli: ALL,
};

/** Third-party packages that production code may import; a package not listed may import only Node's own modules. */
const THIRD_PARTY: Readonly<Record<string, readonly string[]>> = {
  protocol: ['@noble/hashes', '@noble/curves', 'typebox'],
  replay: ['secp256k1'],
  exchange: ['hyparquet-writer', 'swagger-ui-dist', 'ws', 'pino', 'prom-client', 'typebox', 'yaml'],
  telemetry: [
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
    'prom-client',
  ],
  feed: ['eventsource', 'prom-client', 'typebox', 'ws'],
  maker: ['prom-client'],
  log: ['pg'],
  vault: ['@ethereumjs/mpt', 'ox', 'prom-client', 'typebox', 'viem'],
  checker: ['prom-client', 'typebox'],
  push: ['prom-client', 'web-push'],
  web: ['idb', 'lightweight-charts', 'react', 'react-dom', 'viem', 'vite', 'zustand'],
  cli: ['commander'],
};

/** Packages that run anywhere and therefore may not import Node's own modules either. */
const PURE = new Set(['protocol', 'engine', 'sdk']);

/**
 * The rooms of engine, command and terminal, from top to bottom: each may import those below it and none above. Files in no room are
 * the hall, which may import everything and is imported by no room. A room's own folders belong to it, unless they have a
 * line of their own.
 */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  engine: [
    'custody',
    'quoting',
    'liquidation',
    'expiry',
    'trading',
    'accounts',
    'risk',
    'entry',
    'state',
    'book',
  ],
  cli: [
    'completion',
    'init',
    'operator',
    'operator/names',
    'custody',
    'process',
    'auditor',
    'trader',
    'trader/combos',
    'trader/market',
    'trader/account',
    'trader/orders',
    'connection',
    'profile',
    'terminal',
    'base',
  ],
  web: [
    'page',
    'areas/whatif',
    'areas/account',
    'areas/book',
    'areas/order',
    'areas/charts',
    'areas/chain',
    'areas/share',
    'areas/watch',
    'areas/help',
    'areas/notices',
    'areas/funds',
    'areas/admin',
    'kit',
    'terminal',
    'areas/account/core',
    'areas/share/core',
    'areas/book/core',
    'areas/watch/core',
    'areas/order/core',
    'areas/whatif/core',
    'areas/charts/core',
    'areas/chain/core',
    'areas/help/core',
    'areas/notices/core',
    'install',
    'session',
    'market',
    'view',
    'basics',
  ],
};

/**
 * The rooms of other packages, and the others that each may import. Only files in no room, which compose the node or are a
 * package's door, may import all; no room imports them.
 */
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  exchange: {
    observe: [],
    threads: [],
    auth: [],
    entries: ['observe'],
    snapshots: ['observe', 'threads'],
    analytics: [],
    history: ['analytics', 'snapshots', 'observe', 'threads'],
    files: ['history', 'observe', 'threads'],
    views: ['analytics', 'history', 'threads'],
    stream: ['views'],
    http: ['analytics', 'auth', 'entries', 'files', 'history', 'observe', 'stream', 'views'],
    openapi: ['http'],
    edge: ['auth', 'http', 'observe', 'stream'],
  },
  vault: {
    contract: [],
    chain: [],
    keys: ['chain'],
    events: ['chain', 'contract'],
    gate: ['events', 'keys', 'chain', 'contract'],
    daemon: ['keys', 'chain', 'contract'],
    deploy: ['gate', 'daemon', 'events', 'chain', 'contract'],
    reserves: ['deploy', 'daemon', 'events', 'chain'],
    attestor: ['daemon', 'chain'],
    watcher: ['reserves', 'deploy', 'daemon', 'events', 'chain'],
    batcher: ['reserves', 'deploy', 'gate', 'daemon', 'events', 'keys', 'chain'],
  },
  sdk: {
    net: [],
    sign: ['net'],
    market: ['net'],
    trade: ['market', 'sign', 'net'],
    quote: ['trade', 'sign', 'net'],
    stream: ['trade', 'market', 'sign', 'net'],
    operate: ['quote', 'net'],
    client: ['operate', 'stream', 'quote', 'trade', 'market', 'sign', 'net'],
  },
};

/** Functions that IEEE 754 does not define to the last bit, so that machines and releases differ in them; powers of two are
 * exact. */
const INEXACT =
  /\bMath\.(exp|expm1|log\w*|pow|cbrt|hypot|fround|a?sinh?|a?cosh?|a?tanh?|atan2)\b|(?<!\b(?:2|\d+n) )\*\*/;

/** Files that the engine's marks and the history rest on, and that calculate with fractions: with those that are exact to the bit. */
const EXACT_FILES = [
  ...['black76', 'exp-ln', 'greeks', 'implied-vol', 'normal'],
  ...['covers', 'greatest-loss', 'group', 'legs', 'model', 'unit'].map((name) => `margin/${name}`),
].map((name) => `packages/protocol/src/${name}.ts`);

/** Names that the engine may never use, because a replay would get different values from them. */
const ENGINE_BANS: readonly (readonly [RegExp, string])[] = [
  [/\bDate\b/, 'the clock'],
  [/\bTemporal\b/, 'the clock and time zones'],
  [/\bperformance\b/, 'the clock'],
  [/\bsetTimeout\b|\bsetInterval\b|\bqueueMicrotask\b/, 'timers'],
  [/\bMath\.random\b|\bcrypto\./, 'randomness'],
  [/\bprocess\b/, 'the environment'],
  [/\bPromise\b|\basync\b|\bawait\b/, 'promises'],
  [/\bIntl\b|\btoLocale\w+/, 'locales'],
  [INEXACT, 'inexact arithmetic'],
  [/\bMath\.sqrt\b/, 'fractions'],
  [/\bfetch\b|\bconsole\b/, 'input and output'],
];

const ENVIRONMENT = /\bprocess\.env\b/;
const SPECIFIER =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every breach of the table in a set of files, one sentence each; paths are relative to the project's root. */
export function findBreaches(files: readonly SourceFile[]): string[] {
  const breaches = files.flatMap((file) => [
    ...importBreaches(file),
    ...engineBreaches(file),
    ...exactnessBreaches(file),
    ...environmentBreaches(file),
  ]);
  return [...breaches, ...circleBreaches(files), ...sizeBreaches(files)];
}

/** Beyond these a file has several subjects, and a folder several rooms; the length of a function is the linter's. */
const FILE_LINES_MAX = 400;
const FOLDER_FILES_MAX = 30;

function sizeBreaches(files: readonly SourceFile[]): string[] {
  const long = files
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > FILE_LINES_MAX)
    .map(({ path, lines }) => `${path}: ${lines} lines, of at most ${FILE_LINES_MAX}`);
  const full = [...Map.groupBy(files, ({ path }) => dirname(path))]
    .filter(([, within]) => within.length > FOLDER_FILES_MAX)
    .map(([folder, within]) => `${folder}: ${within.length} source files, of at most ${FOLDER_FILES_MAX}`);
  return [...long, ...full];
}

function importBreaches(file: SourceFile): string[] {
  const name = packageOf(file.path);
  const breaches: string[] = [];
  for (const specifier of specifiersOf(file)) {
    if (!mayImport(name, file.path, specifier))
      breaches.push(`${file.path}: ${name} may not import ${specifier}`);
    else if (specifier.startsWith('.'))
      breaches.push(...roomBreaches(name, file.path, targetOf(file.path, specifier)));
  }
  return breaches;
}

/** The specifiers of a file's imports, as written. */
export function specifiersOf({ text }: SourceFile): string[] {
  return [...text.matchAll(SPECIFIER)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** The path of the file named by a relative specifier. */
export function targetOf(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier));
}

function roomBreaches(name: string, path: string, target: string): string[] {
  const [from, to] = [roomOf(path), roomOf(target)];
  const floors = FLOORS[name];
  if (floors === undefined ? mayEnterRoom(ROOMS[name], from, to) : mayEnterFloor(floors, from, to)) return [];
  return [`${path}: ${from || 'the hall'} may not import ${to || 'the hall'} (${target})`];
}

function mayEnterFloor(floors: readonly string[], from: string, to: string): boolean {
  const [floor, other] = [floors.indexOf(from), floors.indexOf(to)];
  return from === '' || from === to || (floor >= 0 && other > floor);
}

function mayEnterRoom(rooms: (typeof ROOMS)[string] | undefined, from: string, to: string): boolean {
  return rooms === undefined || from === '' || from === to || (rooms[from]?.includes(to) ?? false);
}

/** The room that contains a file: the deepest of its folders with a line of its own, or the first below `src`; or none. */
function roomOf(path: string): string {
  const [, name, folder] = /^packages\/([^/]+)\/src\/(.+)\/[^/]+$/.exec(path) ?? [];
  if (name === undefined || folder === undefined) return '';
  const within = FLOORS[name]?.filter((room) => `${folder}/`.startsWith(`${room}/`)) ?? [];
  return (
    within.reduce((deepest, room) => (room.length > deepest.length ? room : deepest), '') ||
    folder.split('/')[0]!
  );
}

/** No file may import itself through others. */
function circleBreaches(files: readonly SourceFile[]): string[] {
  const imports = new Map(
    files.map((file) => [
      file.path,
      specifiersOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => targetOf(file.path, specifier)),
    ]),
  );
  return circlesOf(imports).map((circle) => `${circle[0]}: a circle of imports: ${circle.join(', ')}`);
}

/** Groups of files that all reach each other, found by Tarjan's algorithm; single files are left out. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const visit = (path: string): number => {
    const number = numbers.size;
    numbers.set(path, number);
    open.push(path);
    let lowest = number;
    for (const target of imports.get(path) ?? []) {
      if (!numbers.has(target)) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, numbers.get(target)!);
    }
    if (lowest === number) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const path of imports.keys()) if (!numbers.has(path)) visit(path);
  return circles;
}

function mayImport(name: string, path: string, specifier: string): boolean {
  if (specifier.startsWith('.')) {
    return packageOf(targetOf(path, specifier)) === name;
  }
  if (specifier.startsWith('@venue/')) return OURS[name]?.includes(specifier.split('/')[1] ?? '') ?? false;
  if (isBuiltin(specifier)) return !PURE.has(name);
  return (
    THIRD_PARTY[name]?.some((allowed) => specifier === allowed || specifier.startsWith(`${allowed}/`)) ??
    false
  );
}

function exactnessBreaches({ path, text }: SourceFile): string[] {
  if (!EXACT_FILES.includes(path) || !INEXACT.test(withoutComments(text))) return [];
  return [`${path}: a mark may not use inexact arithmetic`];
}

function engineBreaches(file: SourceFile): string[] {
  if (packageOf(file.path) !== 'engine') return [];
  const code = withoutComments(file.text);
  return ENGINE_BANS.filter(([ban]) => ban.test(code)).map(
    ([, what]) => `${file.path}: the engine may not use ${what}`,
  );
}

/** Only one file per process reads the environment. */
function environmentBreaches(file: SourceFile): string[] {
  return file.path.endsWith('/config.ts') || !ENVIRONMENT.test(withoutComments(file.text))
    ? []
    : [`${file.path}: only config.ts reads the environment`];
}

function packageOf(path: string): string {
  return /^packages\/([^/]+)\//.exec(path)?.[1] ?? '';
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** Production sources: tests and files outside `src` may import more. */
export function productionFiles(root: string): SourceFile[] {
  return globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const breaches = findBreaches(productionFiles(root));
  for (const breach of breaches) console.error(breach);
  if (breaches.length > 0) process.exitCode = 1;
  else
    console.log(
      `imports: ${productionFiles(root).length} files keep the table (${relative(process.cwd(), root) || '.'})`,
    );
}
