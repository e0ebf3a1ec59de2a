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
import { productionFiles } from '../../../scripts/imports.ts';
import { DisagreementError, RpcRefusal } from '../../vault/src/chain/errors.ts';
import { CommandError } from './command-error.ts';
import { FORESEEN, refusal } from './refusal.ts';

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
  const root = fileURLToPath(new URL('../../..', import.meta.url));
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
