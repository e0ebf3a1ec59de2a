/** Compares the declarations generated from the schemas with the types that the project itself uses. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeDeclarations } from '../scripts/declarations.ts';
import { wireTypes } from '../scripts/wire-types.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
// Inside the project, so that the protocol is found from there.
const folder = join(ROOT, `packages/sdk/dist/types-test-${process.pid}`);
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true, force: true }));

const EQUAL = `
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_: Equal<A, B> extends true ? true : [A, B]): void {}
`;

/** Exported by the protocol itself. */
const PLAIN = new Set([
  ...['Hex', 'RejectReason', 'VenueCode', 'ReasonCode', 'Amounts'],
  ...['SpreadKind', 'PlaceActionWire'],
]);

test('every declared type is the one of the protocol', () => {
  writeDeclarations(folder);
  const names = [...readFileSync(join(folder, 'protocol.d.ts'), 'utf8').matchAll(/^export type (\w+)/gm)]
    .map(([, name]) => name!)
    // Opaque, branded by a symbol of its own, and parts of a union that is compared as a whole.
    .filter(
      (name) =>
        !['Address', 'ActionWire', 'BatchAction'].includes(name) &&
        !/^(HandSettle|SettleConfirm)(Expiry|Series)$/.test(name),
    );
  assert.ok(names.length > 50 && names.includes('StreamFrame'));
  const home = (name: string) => (PLAIN.has(name) ? 'plain' : 'wire');
  const lines = names.map((name) => `same<Flat<declared.${name}>, Flat<${home(name)}.${name}>>(true);`);
  const flat = 'type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;';
  const imports = `import type * as declared from './protocol.js';\nimport type * as plain from '@venue/protocol';\nimport type * as wire from '@venue/protocol/wire';\n`;
  writeFileSync(join(folder, 'same.ts'), `${imports}${EQUAL}${flat}\n${lines.join('\n')}\n`);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../../tsconfig.json', files: ['same.ts'], include: [] }),
  );
  const { status, stdout } = spawnSync(
    join(ROOT, 'node_modules/.bin/tsc'),
    ['-p', folder, '--checkers', '1'],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stdout);
});

test('a type without a schema is not a wire type', () => {
  assert.throws(() => wireTypes(['Nothing']), /the wire type Nothing has no schema/);
});
