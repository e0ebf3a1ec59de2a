import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../../base/command-error.ts';
import { actionsOf, parsedActions } from './batch-file.ts';

const ACTIONS = [
  { type: 'cancel', orderId: 7 },
  { type: 'guard', ms: 30_000 },
];

test('a file holds a list of actions, or an object that has one', () => {
  assert.deepEqual(parsedActions(JSON.stringify(ACTIONS), 'f'), ACTIONS);
  assert.deepEqual(parsedActions(JSON.stringify({ actions: ACTIONS }), 'f'), ACTIONS);
});

test('BAT-1: malformed actions are refused before anything is sent, with their place', () => {
  for (const [json, message] of [
    ['', /^f holds no JSON: .*; nothing was sent$/],
    ['{}', 'f: actions malformed; nothing was sent'],
    ['[]', 'f: actions malformed; nothing was sent'],
    [JSON.stringify(Array(65).fill(ACTIONS[0])), 'f: too many actions; nothing was sent'],
    [JSON.stringify([ACTIONS[0], { type: 'cancel' }]), 'f: actions[1].orderId required; nothing was sent'],
    ['[{"type":"guard","ms":1}]', 'f: actions[0].ms malformed; nothing was sent'],
  ] as const)
    assert.throws(
      () => parsedActions(json, 'f'),
      (error) => {
        assert.ok(error instanceof CommandError);
        if (typeof message === 'string') assert.equal(error.message, message);
        else assert.match(error.message, message);
        return error.exitCode === 2;
      },
    );
});

test('a file that is not there is named', async () => {
  await assert.rejects(
    actionsOf('/nowhere/actions.json'),
    /^CommandError: \/nowhere\/actions\.json cannot be read: ENOENT/,
  );
});
