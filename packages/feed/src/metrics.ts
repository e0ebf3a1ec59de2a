/** The feed's metrics: its posts, and how long ago the venue accepted one. */

import { createRegistry } from '@venue/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';

export class FeedMetrics {
  readonly registry: Registry = createRegistry('feed');
  readonly #posts: Counter;
  readonly #prints: Counter;
  #postedAtMs: number | null = null;

  constructor() {
    const registers = [this.registry];
    this.#posts = new Counter({
      name: 'venue_feed_posts_total',
      help: 'Posts of prices, by whether the venue took them',
      labelNames: ['result'],
      registers,
    });
    this.#prints = new Counter({
      name: 'venue_feed_prints_total',
      help: 'Prices in the posts that the venue took, by its word on each',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['taken', 'failed']) this.#posts.inc({ result }, 0);
    for (const result of ['accepted', 'rejected']) this.#prints.inc({ result }, 0);
    const age: Gauge = new Gauge({
      name: 'venue_feed_post_age_seconds',
      help: 'Since the venue last took a post; absent before the first',
      registers,
      collect: () => {
        age.remove();
        if (this.#postedAtMs !== null) age.set((performance.now() - this.#postedAtMs) / 1_000);
      },
    });
  }

  posted({ accepted, rejected }: { readonly accepted: number; readonly rejected: number }): void {
    this.#postedAtMs = performance.now();
    this.#posts.inc({ result: 'taken' });
    this.#prints.inc({ result: 'accepted' }, accepted);
    this.#prints.inc({ result: 'rejected' }, rejected);
  }

  failed(): void {
    this.#posts.inc({ result: 'failed' });
  }
}
