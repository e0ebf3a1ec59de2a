import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as audit from '@venue/audit';
import * as config from '@venue/config';
import * as exchange from '@venue/exchange';
import * as feed from '@venue/feed';
import * as maker from '@venue/maker';
import * as sdk from '@venue/sdk';
import * as telemetry from '@venue/telemetry';
import * as vault from '@venue/vault';
import { productionFiles } from '../../../../scripts/imports.ts';
import { DisagreementError, RpcRefusal } from '../../../vault/src/chain/errors.ts';
import { CommandError, usageError } from '../base/command-error.ts';
import { EXIT } from '../base/exit-codes.ts';
import { FORESEEN, failureOf, failureText, refusal } from './refusal.ts';

type ErrorClass = new (...args: never[]) => Error;

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === 'function' && value.prototype instanceof Error;
}

const CLASSES = [
  ...[config, audit, exchange, feed, maker, sdk, telemetry, vault].flatMap((door) =>
    Object.values(door).filter(isErrorClass),
  ),
  CommandError,
  DisagreementError,
  RpcRefusal,
];

test('the errors exported by the packages are the foreseen ones, each under its own name', () => {
  const names = CLASSES.map((kind) => (Reflect.construct(kind, []) as Error).name);
  assert.deepEqual(
    names,
    CLASSES.map((kind) => kind.name),
  );
  assert.deepEqual(names.toSorted(), [...FORESEEN]);
});

test('a subclass of a foreseen error is foreseen, too', () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const pairs = productionFiles(root).flatMap(({ text }) => [...text.matchAll(/class (\w+) extends (\w+)/g)]);
  const extending = pairs.filter(([, , base]) => FORESEEN.has(base!)).map(([, name]) => name!);
  assert.ok(extending.includes('RpcRefusal'));
  for (const name of extending) assert.ok(FORESEEN.has(name), name);
});

test('a foreseen refusal is its message, and anything else the whole error', () => {
  assert.equal(refusal(new audit.LogToolError('no such log')), 'no such log');
  assert.match(refusal(new TypeError('x is undefined')), /^TypeError: x is undefined\n {4}at /);
  assert.equal(refusal('torn'), 'torn');
});

test('a failure has one line for people, and one object for programs', () => {
  const failure = failureOf(usageError('an order has either\x07 --limit or --market'));
  const error = 'an order has either\\u0007 --limit or --market';
  assert.deepEqual(failure, { error, code: 'usage', exit: 2 });
  assert.equal(failureText(failure, false), `venue: ${error}\n`);
  const text = failureText(failure, true);
  assert.deepEqual([text.indexOf('\n'), JSON.parse(text)], [text.length - 1, failure]);
});

test('the code of a failure is a word that programs can rely on', () => {
  for (const [error, code, exit] of [
    [new CommandError('no'), 'refused', 1],
    [new CommandError('no', EXIT.refused, 'rejected'), 'rejected', 1],
    [new CommandError('none', EXIT.nothing), 'nothing-to-cancel', 5],
    [new sdk.VenueUnreachableError('no answer'), 'sdk:unreachable', 3],
    [new audit.LogToolError('no such log'), 'refused', 1],
    [Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'internal', 1],
  ] as const)
    assert.deepEqual([failureOf(error).code, failureOf(error).exit], [code, exit]);
});
