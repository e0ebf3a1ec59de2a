import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EntryTraces } from './entry-traces.ts';

type Added = readonly [name: string, ms: number, attributes: unknown];

function tracesOf(isTraced = true) {
  const added: Added[] = [];
  const trace = {
    add: (name: string, { startMs, endMs }: { startMs: number; endMs: number }, attributes?: object) => {
      added.push([name, Math.round(endMs - startMs), attributes]);
    },
  };
  return { added, traces: new EntryTraces({ current: () => (isTraced ? trace : null) }) };
}

test('an entry is followed through the flush and the engine to the frames', () => {
  const { added, traces } = tracesOf();
  const entry = traces.submitted()!;
  traces.flushed({ entries: 4, ms: 3 });
  const startedMs = performance.now();
  traces.applied(entry, { seq: 9, kind: 'order', startedMs, endedMs: startedMs + 2 });
  traces.framesSent(5);
  traces.framesSent(5);
  const of = { 'venue.seq': 9, 'venue.kind': 'order' };
  assert.deepEqual(
    added.map(([name, , attributes]) => [name, attributes]),
    [
      ['log.append', of],
      ['log.flush', { 'venue.entries': 4 }],
      ['engine.apply', of],
      ['stream.frames', { 'venue.clients': 5 }],
    ],
  );
  assert.deepEqual([added[1]![1], added[2]![1]], [3, 2]);
});

test('an entry of an untraced request is not followed', () => {
  const { added, traces } = tracesOf(false);
  assert.equal(traces.submitted(), null);
  traces.framesSent(1);
  assert.deepEqual(added, []);
});
