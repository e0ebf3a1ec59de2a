/** Writes the types of the package so that they stand alone: those from `@venue/protocol` are copied beside them. */

import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AMOUNT_REJECT, BATCH_REJECT, CATALOGUE, codeOf, REJECT, ROW_REJECT } from '@venue/protocol';
import { SPREAD_KINDS } from '@venue/protocol/spreads';
import { wireTypes } from './wire-types.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DOORS = ['index.ts', 'browser.ts', 'operators.ts', 'spreads.ts'];

const REASON_CODES = Object.keys({ ...REJECT, ...BATCH_REJECT, ...ROW_REJECT, ...AMOUNT_REJECT }).map(codeOf);

/** A module of the package: as it is imported, and within a type that is only worked out. */
const SOURCE = /(from |import\()(['"])(\.{1,2}\/[\w/-]+)\.ts\2/g;

/** Types of the protocol that are not wire objects. The branded one is opaque outside. */
const OTHERS = new Map([
  ['Hex', `/** Bytes written as 0x and hex digits. */\nexport type Hex = \`0x\${string}\`;\n`],
  [
    'Address',
    'declare const address: unique symbol;\n/** `0x` and 40 lower-case hex digits. */\n' +
      'export type Address = Hex & { readonly [address]: true };\n',
  ],
  ['RejectReason', rejectReason()],
  ['VenueCode', codes('VenueCode', 'The code of a refusal (ERR-1).', [...CATALOGUE.keys()])],
  ['SpreadKind', codes('SpreadKind', 'A spread that can be asked for by name.', SPREAD_KINDS)],
  ['ReasonCode', codes('ReasonCode', 'The code of a reason (ERR-1).', REASON_CODES)],
  [
    'Amounts',
    '/** Amounts in US dollars, rounded to cents. */\n' +
      'export interface Amounts { readonly need?: number; readonly have?: number; readonly headroom?: number }\n',
  ],
  ['ActionWire', '/** An action as it is posted: opaque outside. */\nexport type ActionWire = object;\n'],
  ['BatchAction', '/** An action as it is signed: opaque outside. */\nexport type BatchAction = object;\n'],
]);

/** Writes a `.d.ts` into a folder for every module reachable from a door. */
export function writeDeclarations(outdir: string): void {
  emit(
    outdir,
    DOORS.map((door) => join(ROOT, 'packages/sdk/src', door)),
  );
  const reached = reachable(outdir);
  const names = new Set([...OTHERS.keys()]);
  for (const file of globSync('**/*.d.ts', { cwd: outdir })) {
    const path = join(outdir, file);
    const text = readFileSync(path, 'utf8');
    if (!reached.has(file)) rmSync(path);
    else {
      for (const name of protocolNames(text)) names.add(name);
      writeFileSync(path, withoutSources(text, file));
    }
  }
  const wireNames = [...names].filter((name) => !OTHERS.has(name));
  writeFileSync(join(outdir, 'protocol.d.ts'), [...OTHERS.values(), wireTypes(wireNames)].join('\n'));
}

/** Files reachable from the doors, the doors included. */
function reachable(folder: string): Set<string> {
  const reached = new Set<string>();
  const wanted = DOORS.map((door) => door.replace('.ts', '.d.ts'));
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, , , name] of text.matchAll(SOURCE))
      wanted.push(normalize(join(dirname(file), `${name}.d.ts`)));
  }
  return reached;
}

/** Reasons without amounts by their text, those with amounts by their pattern. */
function rejectReason(): string {
  const plain = Object.values({ ...REJECT, ...BATCH_REJECT }).map((reason) => `'${reason}'`);
  // A text that would look like a template here is one only in what is written.
  const gap = ['$', '{string}'].join('');
  const patterns = Object.values(AMOUNT_REJECT).map(
    (text) => `\`${text.replaceAll(/\{\w+\}/g, () => gap)}\``,
  );
  const options = [...plain, ...patterns].map((option) => `\n  | ${option}`);
  return `/** Why an order was declined. */\nexport type RejectReason =${options.join('')};\n`;
}

function codes(name: string, meaning: string, all: readonly string[]): string {
  const options = all.map((code) => `\n  | '${code}'`);
  return `/** ${meaning} */\nexport type ${name} =${options.join('')};\n`;
}

function emit(outDir: string, files: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'venue-sdk-tsc-'));
  const project = join(folder, 'tsconfig.json');
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir,
    rootDir: dirname(files[0]!),
  };
  const typeRoots = [join(ROOT, 'node_modules/@types')];
  const compilerOptions = { ...options, typeRoots, rewriteRelativeImportExtensions: true };
  writeFileSync(
    project,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files }),
  );
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project, '--checkers', '1'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const FROM_PROTOCOL = /^(?:import|export)(?: type)? \{([^}]*)\} from '@venue\/protocol';$/gm;

/** The form in which TypeScript writes a type that is only inferred. */
const WITHIN_PROTOCOL = /import\("@venue\/protocol"\)\.(\w+)/g;

function protocolNames(text: string): string[] {
  const imported = [...text.matchAll(FROM_PROTOCOL)].flatMap(([, list]) =>
    list!.match(/\w+/g)!.filter((name) => name !== 'type'),
  );
  return [...imported, ...[...text.matchAll(WITHIN_PROTOCOL)].map(([, name]) => name!)];
}

/** The text of a file with references to sources replaced by files of the package, as TypeScript 5.2 reads it. */
function withoutSources(text: string, file: string): string {
  const root = dirname(file) === '.' ? '.' : '..';
  return text
    .replaceAll('Uint8Array<ArrayBuffer>', 'Uint8Array')
    .replaceAll(/(['"])@venue\/protocol\1/g, `$1${root}/protocol.js$1`)
    .replaceAll(SOURCE, '$1$2$3.js$2');
}
