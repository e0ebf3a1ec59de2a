import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { warnings } from './check.ts';
import { readVariables } from './read.ts';
import type { Reader, Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-secrets-'));
after(() => rmSync(folder, { recursive: true }));

let written = 0;
/** Writes a new file with owner-only permissions and returns its path. */
function fileWith(text: string): string {
  const path = join(folder, `${++written}`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function operatorOf(env: Record<string, string>): string {
  return readVariables('operator', env).VENUE_OPERATOR_TOKEN;
}

test('CFG-2: every secret can be in its own file, and nothing else can', () => {
  for (const [name, { secret, kind, readBy = [], neededBy = [] }] of Object.entries<Variable>(VARIABLES)) {
    const reader =
      [...readBy, ...neededBy].find((one): one is Reader => one === 'exchange') ??
      [...readBy, ...neededBy][0]!;
    const read = () => Object.entries(readVariables(reader, { [`${name}_FILE`]: '/nowhere/x' }));
    if (secret)
      assert.throws(read, /_FILE: \/nowhere\/x cannot be read by this user \(ENOENT\)$|is not set/, name);
    else if (neededBy.length === 0)
      assert.ok(kind && warnings(reader, { [`${name}_FILE`]: 'x' })[0]?.includes('is unknown'));
  }
});

test('CFG-2: one trailing line break is not part of the secret, everything else is', () => {
  assert.equal(operatorOf({ VENUE_OPERATOR_TOKEN_FILE: fileWith('s3cret\n') }), 's3cret');
  assert.equal(operatorOf({ VENUE_OPERATOR_TOKEN_FILE: fileWith('s3cret') }), 's3cret');
  assert.equal(
    operatorOf({ VENUE_OPERATOR_TOKEN: '', VENUE_OPERATOR_TOKEN_FILE: fileWith('s3cret\r\n') }),
    's3cret',
  );
  assert.throws(() => operatorOf({ VENUE_OPERATOR_TOKEN_FILE: fileWith('s3cret\n\n') }), {
    message: 'VENUE_OPERATOR_TOKEN must be ASCII without spaces',
  });
});

test('CFG-2: variable and file together, and an empty, large or missing file, are refused in one line', () => {
  const path = fileWith('\n');
  for (const [env, message] of [
    [
      { VENUE_OPERATOR_TOKEN: 'a', VENUE_OPERATOR_TOKEN_FILE: path },
      /^VENUE_OPERATOR_TOKEN and VENUE_OPERATOR_TOKEN_FILE are both set: keep one of them$/,
    ],
    [{ VENUE_OPERATOR_TOKEN_FILE: path }, /^VENUE_OPERATOR_TOKEN_FILE: .* is empty$/],
    [{ VENUE_OPERATOR_TOKEN_FILE: fileWith('a'.repeat(70_000)) }, /is no secret but a large file$/],
    [{ VENUE_OPERATOR_TOKEN_FILE: folder }, /cannot be read by this user \(EISDIR\)$/],
  ] as const)
    assert.throws(() => operatorOf(env), { name: 'ConfigError', message });
});

test('CFG-2: a world-readable file causes a warning', () => {
  const path = fileWith('s3cret');
  const env = { VENUE_OPERATOR_TOKEN_FILE: path };
  assert.deepEqual(warnings('operator', env), []);
  chmodSync(path, 0o644);
  assert.deepEqual(warnings('operator', env), [
    `VENUE_OPERATOR_TOKEN_FILE: everybody on this machine may read ${path}; chmod 600 it`,
  ]);
});
