/** Metrics of the push process: messages by outcome, requests by status, and how far it is behind the log. */

import { createRegistry } from '@venue/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Outcome } from './delivery.ts';

export interface PushFigures {
  readonly devices: () => number;
  readonly messages: () => number;
  readonly lagEntries: () => number;
  readonly contactMs: () => number;
}

const OUTCOMES: readonly Outcome[] = ['taken', 'gone', 'later', 'refused', 'given up'];

export class PushMetrics {
  readonly registry: Registry = createRegistry('push');
  readonly #sent: Counter;
  readonly #answered: Counter;

  constructor() {
    const registers = [this.registry];
    this.#sent = new Counter({
      name: 'venue_push_sent_total',
      help: 'Attempts to send a message, by what the push service made of it',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of OUTCOMES) this.#sent.inc({ outcome }, 0);
    this.#answered = new Counter({
      name: 'venue_push_requests_total',
      help: 'Requests of browsers, by the status of the answer',
      labelNames: ['status'],
      registers,
    });
  }

  /** Connects the gauges. */
  watch({ devices, messages, lagEntries, contactMs }: PushFigures): void {
    this.#gauge('venue_push_devices', 'Devices that are turned on', devices);
    this.#gauge('venue_push_waiting_messages', 'Messages that wait to be sent', messages);
    this.#gauge('venue_push_log_lag_entries', 'Entries known to be in the log and not read yet', lagEntries);
    const age = () => contactMs() / 1_000;
    this.#gauge(
      'venue_push_log_contact_age_seconds',
      'Since the log last confirmed that nothing is missing',
      age,
    );
  }

  sent(outcome: Outcome): void {
    this.#sent.inc({ outcome });
  }

  answered(status: number): void {
    this.#answered.inc({ status: String(status) });
  }

  #gauge(name: string, help: string, value: () => number): void {
    const gauge: Gauge = new Gauge({
      ...{ name, help, registers: [this.registry] },
      collect: () => gauge.set(value()),
    });
  }
}
