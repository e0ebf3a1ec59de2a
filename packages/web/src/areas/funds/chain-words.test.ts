import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chainFault } from './chain-words.ts';

const error = (message: string, code?: number, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });

it('a declined request is not an error, however deep the code is nested', () => {
  assert.equal(chainFault(error('failed', undefined, error('inner', -32603, error('no', 4001)))), null);
});

it('an error that the person can fix says how', () => {
  assert.match(chainFault(error('Unrecognized chain', 4902))!, /Add it there/);
  assert.match(chainFault(error('busy', -32002))!, /waiting for you/);
  assert.match(
    chainFault(error('failed', -32000, error('insufficient funds for gas * price')))!,
    /pay the gas/,
  );
  assert.match(chainFault(error('reverted: ERC20InsufficientAllowance(…)'))!, /Allow it first/);
});

it('any other error shows its first line', () => {
  assert.equal(chainFault(error('\nOdd.\nDetails: 1')), 'Odd.');
  assert.match(chainFault('text')!, /does not say why/);
});
