/** The baseline: a bare process that sends as many clients the same prepared public frames. */

import assert from 'node:assert/strict';
import type { StreamFrame } from '@venue/protocol';
import { Child } from '../shared/child.ts';
import { cpuMsOf } from '../shared/exchange-process.ts';
import type { BareOrder } from './bare.ts';
import type { ClientsOrder, ClientsReport } from './clients.ts';
import { FILLS_A_TICK, fillOf, qtyMicrosOf, SYMBOLS, sharedMs, spotOf, TICK_MS } from './plan.ts';

const LEAD_MS = 100;
const SETTLE_LIMIT_MS = 4_000;

export interface LimitRound extends ClientsReport {
  readonly elapsedMs: number;
  readonly serverCpuMs: number;
}

/** Throws when a frame is wrong or missing. The first round is warm-up and not returned. */
export async function measureLimit(options: {
  clients: number;
  rounds: number;
  ticks: number;
}): Promise<LimitRound[]> {
  const [bare, clients] = [
    Child.fork(new URL('./bare.ts', import.meta.url)),
    Child.fork(new URL('./clients.ts', import.meta.url)),
  ];
  const tell = <T>(order: ClientsOrder) => clients.ask<T>(order);
  try {
    const url = await bare.ask<string>({ do: 'listen' } satisfies BareOrder);
    await tell({ do: 'connect', url, plain: options.clients, slow: 0, slowToken: null, tokens: [] });
    const rounds: LimitRound[] = [];
    for (let i = 0; i <= options.rounds; i++) {
      const startMs = sharedMs() + LEAD_MS;
      const ticks = Array.from({ length: options.ticks }, (_, k) => bytesOf(i * options.ticks + k));
      await tell({ do: 'expect', startMs, ticks: options.ticks });
      const cpuBefore = cpuMsOf(bare.pid);
      await bare.ask({ do: 'send', startMs, ticks } satisfies BareOrder);
      const report = await tell<ClientsReport>({
        do: 'settle',
        limitMs: startMs - sharedMs() + SETTLE_LIMIT_MS + options.ticks * TICK_MS,
      });
      assert.deepEqual([report.fault, report.undelivered], [null, 0]);
      const serverCpuMs = cpuMsOf(bare.pid) - cpuBefore;
      if (i > 0) rounds.push({ ...report, elapsedMs: sharedMs() - startMs, serverCpuMs });
    }
    return rounds;
  } finally {
    bare.end();
    clients.end();
  }
}

/** The public frames of a tick, as the exchange formats them. */
function bytesOf(tick: number): Buffer {
  const spots = SYMBOLS.map((symbol, i) => ({ symbol, spot: spotOf(i, tick), feedFresh: true }));
  const prints = Array.from({ length: FILLS_A_TICK }, (_, lane): StreamFrame => {
    const symbol = SYMBOLS[lane % SYMBOLS.length]!;
    const qty = qtyMicrosOf(fillOf(tick, lane)) / 1e6;
    const print = {
      seriesId: `${symbol}-1800000000-C-100`,
      price: 5,
      qty,
      side: 'buy' as const,
      ts: Date.now(),
    };
    return { type: 'tape', symbol, print };
  });
  return Buffer.concat([{ type: 'spots', spots } satisfies StreamFrame, ...prints].map(frameOf));
}

/** A text frame of up to 65,535 bytes. */
function frameOf(frame: StreamFrame): Buffer {
  const payload = Buffer.from(JSON.stringify(frame));
  const { length } = payload;
  const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), payload]);
}
