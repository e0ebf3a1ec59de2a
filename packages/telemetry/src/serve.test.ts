import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry } from './registry.ts';
import { MetricsPortError, serveMetrics, whileServing } from './serve.ts';

test('metrics are served on this machine only, under their path only', async () => {
  const served = await serveMetrics(0, createRegistry('feed'));
  const answer = await fetch(served.url);
  assert.match(answer.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  assert.match(text, /^venue_build_info\{process="feed",version="\d+\.\d+\.\d+",node="v\d+\.\d+\.\d+"\} 1$/m);
  assert.match(text, /^process_cpu_seconds_total \d/m);
  assert.equal((await fetch(served.url.replace('/metrics', '/'))).status, 404);
  assert.equal((await fetch(served.url, { method: 'POST' })).status, 404);
  served.close();
  await assert.rejects(fetch(served.url));
});

test('a port in use is reported in one line, and the work does not start', async () => {
  const served = await serveMetrics(0, createRegistry('feed'));
  const port = Number(new URL(served.url).port);
  let begun = false;
  await assert.rejects(
    whileServing(port, createRegistry('maker'), async () => {
      begun = true;
    }),
    (error: Error) =>
      error instanceof MetricsPortError &&
      error.message === `metrics cannot be served on 127.0.0.1:${port}: EADDRINUSE`,
  );
  assert.equal(begun, false);
  served.close();
});

test('the port is free again after the work, even if the work fails', async () => {
  const registry = createRegistry('feed');
  const failing = whileServing(0, registry, async () => {
    throw new Error('no');
  });
  await assert.rejects(failing, { message: 'no' });
  assert.equal(await whileServing(null, registry, async () => 7), 7);
});
