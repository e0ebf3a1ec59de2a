/** Metrics of every daemon: whether their rounds succeed, and whether a person must step in. */

import { createRegistry } from '@venue/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';

export class RoundMetrics {
  readonly registry: Registry;
  readonly #rounds: Counter;
  readonly #alarms: Counter;
  #doneAtMs: number | null = null;

  constructor(daemon: 'watcher' | 'batcher' | 'checker' | 'attestor') {
    this.registry = createRegistry(daemon);
    const registers = [this.registry];
    this.#rounds = new Counter({
      name: `venue_${daemon}_rounds_total`,
      help: 'Rounds, by whether chain and exchange let them end',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['done', 'failed']) this.#rounds.inc({ result }, 0);
    this.#alarms = new Counter({
      name: `venue_${daemon}_alarms_total`,
      help: 'Lines that begin with ALARM: a person has to look',
      registers,
    });
    const age: Gauge = new Gauge({
      name: `venue_${daemon}_round_age_seconds`,
      help: 'Since the last round that ended well; absent before the first',
      registers,
      collect: () => {
        age.remove();
        if (this.#doneAtMs !== null) age.set((performance.now() - this.#doneAtMs) / 1_000);
      },
    });
  }

  done(): void {
    this.#doneAtMs = performance.now();
    this.#rounds.inc({ result: 'done' });
  }

  failed(): void {
    this.#rounds.inc({ result: 'failed' });
  }

  /** Wraps a log to count its alarms. */
  counting(log: (line: string) => void): (line: string) => void {
    return (line) => {
      if (line.startsWith('ALARM')) this.#alarms.inc();
      log(line);
    };
  }
}
