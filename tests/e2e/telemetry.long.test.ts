/** Checks the metrics of all processes against their users, and the trace of one order through a real exchange. */

// @seconds 5

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadConfig, startExchange } from '@venue/exchange';
import { WebSocket } from 'ws';
import { CheckerMetrics } from '../../packages/checker/src/metrics.ts';
import { pricedVenue, signIn } from '../../packages/exchange/test/support.ts';
import { FeedMetrics } from '../../packages/feed/src/metrics.ts';
import { makerRegistry } from '../../packages/maker/src/metrics.ts';
import { Stats } from '../../packages/maker/src/stats.ts';
import { AttestorMetrics } from '../../packages/vault/src/attestor/metrics.ts';
import { BatcherMetrics } from '../../packages/vault/src/batcher/metrics.ts';
import { WatcherMetrics } from '../../packages/vault/src/watcher/metrics.ts';

const ROOT = new URL('../../', import.meta.url);
const NO_FIGURES = {
  quoted: 0,
  spreadBps: 0,
  spreadVolPoints: 0,
  exposures: new Map(),
  houseShare: 0,
  ownShare: 0,
  isFenced: false,
};

describe('metrics', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-metrics-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('have every name that the dashboards and the alerts use', async () => {
    const env = {
      VENUE_PORT: '0',
      VENUE_LOG_LEVEL: 'silent',
      VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`,
    };
    const exchange = await startExchange(loadConfig(env));
    const texts = [
      await (await fetch(`${exchange.url}/metrics`)).text(),
      await new FeedMetrics().registry.metrics(),
      await makerRegistry({ figures: () => NO_FIGURES, stats: new Stats() }).metrics(),
      await new WatcherMetrics().registry.metrics(),
      await new BatcherMetrics().registry.metrics(),
      await new AttestorMetrics().registry.metrics(),
      await new CheckerMetrics().registry.metrics(),
    ];
    await exchange.stop();
    const names = new Set(
      texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)),
    );
    assert.match(texts[0]!, /^venue_log_file_bytes [1-9]/m);
    assert.match(texts[0]!, /^venue_log_disk_free_bytes [1-9]/m);
    // The backup writes its own metrics, for the textfile collector.
    names.add('venue_backup_timestamp_seconds');
    const dashboards = globSync('deploy/grafana/*.json', { cwd: fileURLToPath(ROOT) });
    const shown = dashboards.map((file) => readFileSync(new URL(file, ROOT), 'utf8')).join('');
    const ofOthers = texts.slice(1).flatMap((text) => text.match(/(?<=^# TYPE )venue_(?!build)\w+/gm) ?? []);
    assert.deepEqual(
      ofOthers.filter((name) => !shown.includes(name)),
      [],
      'each figure of custody, feed and maker is on a dashboard',
    );
    for (const file of [...dashboards, 'deploy/prometheus/alerts.yml']) {
      const text = readFileSync(new URL(file, ROOT), 'utf8');
      const used = text.match(/\b(?:venue|nodejs|process)_[a-z0-9_]+/g)!;
      assert.ok(used.length > 5);
      for (const name of used)
        assert.ok(
          names.has(name.replace(/_(bucket|count|sum)$/, '')) || names.has(name),
          `${file} looks at ${name}`,
        );
    }
  });
});

describe('a traced order', () => {
  const spans: { name: string; spanId: string; parentSpanId?: string; traceId: string }[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    for (const { scopeSpans } of resourceSpans) for (const one of scopeSpans) spans.push(...one.spans);
    response.setHeader('content-type', 'application/json').end('{}');
  });

  before(async () => {
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  after(() => collector.close());

  it('shows the request, the flush, the engine and the frames, and no secret', async () => {
    const { port } = collector.address() as AddressInfo;
    const venue = await pricedVenue({
      VENUE_TRACE_URL: `http://127.0.0.1:${port}/v1/traces`,
      VENUE_WS_TICK_MS: '20',
    });
    const { seriesId, sid } = await venue.listed('BTC');
    const { token } = await signIn(venue);
    await venue.quote({ rows: [[sid, [[3, 1]], [[4, 5]], 0.5, 0.5]] });
    const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/ws?token=${token}`);
    await once(socket, 'message');
    const fill = new Promise((resolve) =>
      socket.on('message', (data) => JSON.parse(String(data)).type === 'fill' && resolve(null)),
    );
    await venue.post('/v1/order', { seriesId, side: 'buy', qty: 1 }, { token });
    await fill;
    socket.close();
    await venue.exchange.stop();
    const order = spans.find(({ name }) => name === 'POST /v1/order')!;
    const children = spans
      .filter(({ parentSpanId }) => parentSpanId === order.spanId)
      .map(({ name }) => name);
    assert.deepEqual(children.sort(), ['engine.apply', 'log.append', 'log.flush', 'stream.frames']);
    assert.ok(!JSON.stringify(spans).includes(token));
  });
});
