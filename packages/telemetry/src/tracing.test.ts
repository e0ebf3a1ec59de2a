import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { loadTracing, openTracing, TracingMissingError } from './tracing.ts';

interface Sent {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

/** A collector that receives what OpenTelemetry's exporter sends. */
const sent: Sent[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
  for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) sent.push(...spans);
  response.setHeader('content-type', 'application/json').end('{}');
});
let url = '';

before(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
});
after(() => collector.close());

const REQUEST = { method: 'POST', route: '/v1/order', requestId: 'r-1', traceparent: undefined };

async function traced(
  share: number,
  request: { traceparent: string | undefined } = REQUEST,
): Promise<Sent[]> {
  sent.length = 0;
  const tracing = await openTracing({ url, share, service: 'venue-test' });
  assert.equal(tracing.current(), null);
  const answer = await tracing.request({ ...REQUEST, ...request }, async () => {
    await Promise.resolve();
    const endMs = performance.now();
    tracing.current()?.add('log.flush', { startMs: endMs - 5, endMs }, { 'venue.entries': 3 });
    return { status: 200 };
  });
  assert.deepEqual(answer, { status: 200 });
  await tracing.close();
  return [...sent];
}

test('a request is a span, and each wait in it is a child span', async () => {
  const spans = await traced(1);
  const [request, flush] = ['POST /v1/order', 'log.flush'].map((name) =>
    spans.find((span) => span.name === name),
  );
  assert.equal(spans.length, 2);
  assert.equal(flush!.parentSpanId, request!.spanId);
  assert.equal(flush!.traceId, request!.traceId);
  assert.ok(Math.abs(Number(flush!.endTimeUnixNano) - Number(flush!.startTimeUnixNano) - 5e6) < 1e5);
  assert.ok(Math.abs(Number(flush!.endTimeUnixNano) / 1e6 - Date.now()) < 60_000);
  const attributes = new Map(request!.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  assert.equal(attributes.get('http.route'), '/v1/order');
  assert.equal(attributes.get('venue.request_id'), 'r-1');
  assert.equal(attributes.get('http.response.status_code'), 200);
});

test("a caller's trace continues with the caller's sampling decision", async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const spans = await traced(0, { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  assert.deepEqual(
    spans.map((span) => span.traceId),
    [traceId, traceId],
  );
  assert.equal(spans.find(({ name }) => name === 'POST /v1/order')!.parentSpanId, 'b7ad6b7169203331');
  assert.deepEqual(await traced(1, { traceparent: `00-${traceId}-b7ad6b7169203331-00` }), []);
});

test('requests outside the sampled share are not traced, and a bad trace context is ignored', async () => {
  assert.deepEqual(await traced(0), []);
  assert.deepEqual(
    await traced(0, { traceparent: '00-00000000000000000000000000000000-b7ad6b7169203331-01' }),
    [],
  );
  assert.deepEqual(await traced(0, { traceparent: 'x' }), []);
});

test('an error passes through, and an unreachable collector delays the end by no more than a second', async (t) => {
  const tracing = await openTracing({ url: 'http://127.0.0.1:1/v1/traces', share: 1, service: 'venue-test' });
  const failing = tracing.request(REQUEST, async () => {
    throw new Error('no');
  });
  await assert.rejects(failing, { message: 'no' });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const closed = tracing.close().then(() => 'closed');
  t.mock.timers.tick(1_000);
  assert.equal(await Promise.race([closed, turn('open')]), 'closed');
});

test('without its packages it is one line that says how to install them, and any other fault stays as it is', async () => {
  const absent = Object.assign(new Error('no such package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await assert.rejects(
    loadTracing(() => Promise.reject(absent)),
    (error) =>
      error instanceof TracingMissingError && /^.*install\.mjs --production --tracing.*$/.test(error.message),
  );
  const broken = new SyntaxError('unexpected token');
  await assert.rejects(
    loadTracing(() => Promise.reject(broken)),
    broken,
  );
});
