import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { required } from '@venue/protocol';
import { Type } from 'typebox';
import { HttpError } from '../http/errors.ts';
import { queryReader } from './query.ts';

const SCHEMA = Type.Object({ symbol: Type.String(), limit: Type.Optional(Type.String()) });

describe('the queries of a route', () => {
  it('are read once and remembered, whole', () => {
    const read = queryReader(SCHEMA);
    const query = read('symbol=BTC&limit=');
    assert.deepEqual({ ...query }, { symbol: 'BTC' });
    assert.equal(read('symbol=BTC&limit='), query);
    assert.deepEqual({ ...read('symbol=BTC&limit=2') }, { symbol: 'BTC', limit: '2' });
    assert.throws(() => Object.assign(query, { symbol: 'ETH' }), TypeError);
  });

  it('that have a wrong shape are refused each time they come', () => {
    const read = queryReader(SCHEMA);
    for (let i = 0; i < 2; i++) {
      assert.throws(() => read('limit=1'), new HttpError(required('symbol')));
      assert.throws(() => read('symbol=A&symbol=B'), HttpError);
    }
  });

  it('are forgotten when they are many or long, so that nobody can fill the memory', () => {
    const read = queryReader(SCHEMA);
    const query = read('symbol=BTC');
    for (let i = 0; i < 4_096; i++) read(`symbol=BTC&limit=${i}`);
    assert.notEqual(read('symbol=BTC'), query);
    const long = `symbol=${'A'.repeat(200)}`;
    assert.notEqual(read(long), read(long));
  });

  it('of a route without a schema are parsed alone', () => {
    assert.deepEqual({ ...queryReader(undefined)('token=%zz&a=&b=1') }, { token: '%zz', b: '1' });
  });
});
