import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VenueClient } from './client.ts';

const make = (options: unknown) => () => new VenueClient(options as never);

test('a client without an address says what is missing', () => {
  for (const options of [{}, { url: undefined }]) assert.throws(make(options), /^TypeError: url is missing/);
  assert.throws(make(undefined), /^TypeError: a client takes options/);
  assert.throws(make('http://127.0.0.1:8080'), /^TypeError: a client takes options/);
});

test('an unknown option is named, with the known ones', () => {
  const url = 'http://127.0.0.1:8080';
  assert.throws(
    make({ url, timeout: 5, key: 1 }),
    /^TypeError: unknown option timeout, key: there are .*timeoutMs/,
  );
  make({ url, timeoutMs: 5, signal: undefined })();
});
