import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Announced } from '../../vault/src/gate/announced.ts';
import { AnnouncedWatch } from './announced.ts';
import { CheckerMetrics } from './metrics.ts';

describe('CUS-18 what is announced on chain', () => {
  test('a metric counts what is announced, by its kind and whether a person has named it', async () => {
    const one = (kind: Announced['kind'], subject: string) => ({ kind, subject, id: subject, readyAt: 0 });
    const pending = [one('operation', '0xa'), one('operation', '0xb'), one('proposer', '0xc')] as never;
    const metrics = new CheckerMetrics();
    const watch = new AnnouncedWatch({
      gate: { bounds: async () => ({ changeDelay: 10 }) as never },
      announcements: { pending: async () => pending },
      seen: new Set(['operation:0xa', 'guardians:0xc']),
      metrics,
      log: () => {},
    });
    await watch.advance({ number: 1, timestampSeconds: 100 } as never, 1);
    const text = await metrics.registry.metrics();
    const figure = (kind: string, named: string) =>
      new RegExp(`^venue_checker_announced{kind="${kind}",named="${named}"[^}]*} (\\d+)`, 'm').exec(
        text,
      )?.[1];
    assert.deepEqual(
      ['operation', 'proposer', 'guardians'].map((kind) => [figure(kind, 'yes'), figure(kind, 'no')]),
      [
        ['1', '1'],
        ['0', '1'],
        ['0', '0'],
      ],
    );
  });
});
