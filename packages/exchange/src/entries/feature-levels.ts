/** Keeps the venue's feature level as high as every node on its log can read (OWN-72). */

import { isRefused, levelInForce, type State } from '@venue/engine';
import type { Log, LogNode } from '@venue/log';
import type { Logger } from '../observe/logger.ts';
import { configureCommand, type RandomBytes } from './configuration.ts';
import type { Sequencer } from './sequencer.ts';

/**
 * How long every node must have announced a higher level, because a node that restarts or reconnects is invisible
 * meanwhile.
 */
const SETTLED_MS = 15_000;

export interface FeatureLevelsOptions {
  readonly log: Pick<Log, 'isShared' | 'nodes'>;
  readonly state: State;
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly logger: Pick<Logger, 'info'>;
  readonly randomBytes: RandomBytes;
  /** Called once a higher level is in force, which may know more of the parameters. */
  readonly onRaised: () => Promise<void>;
}

export class FeatureLevels {
  readonly #options: FeatureLevelsOptions;
  /** Nodes that hold the level back, as last seen. */
  #waitingFor: readonly string[] = [];
  /** On the monotonic clock; null while any node holds the level back. */
  #settledSinceMs: number | null = null;

  constructor(options: FeatureLevelsOptions) {
    this.#options = options;
  }

  /** Number of addresses with nodes of an older release that hold the level back. */
  get waitingCount(): number {
    return this.#waitingFor.length;
  }

  /** The level for a new log without parameters. */
  async first(): Promise<number> {
    return this.#lowestOf(await this.#options.log.nodes());
  }

  /** The highest level that this node reads. */
  get #reads(): number {
    return this.#options.state.featureLevels.length;
  }

  /** Call once the parameters are in force. On a log of a single process the level is raised immediately. */
  async begin(): Promise<void> {
    const { log, state, logger } = this.#options;
    if (!log.isShared) await this.#raise(this.#reads);
    logger.info({ level: levelInForce(state), reads: this.#reads }, 'feature level in force');
    await this.check();
  }

  /** Call every few seconds: raises the level once every node has been able to read a higher one for long enough. */
  async check(): Promise<void> {
    const { log, state } = this.#options;
    const inForce = levelInForce(state);
    if (inForce >= this.#reads) {
      this.#waitingFor = [];
      return;
    }
    const nodes = await log.nodes();
    const lowest = this.#lowestOf(nodes);
    this.#sayWaiting(nodes.filter(({ level }) => level < this.#reads));
    if (lowest <= inForce) {
      this.#settledSinceMs = null;
      return;
    }
    this.#settledSinceMs ??= performance.now();
    if (performance.now() - this.#settledSinceMs >= SETTLED_MS) await this.#raise(lowest);
  }

  #lowestOf(nodes: readonly LogNode[]): number {
    return Math.min(this.#reads, ...nodes.map(({ level }) => level));
  }

  /** Other nodes may propose the same level; the engine takes the first. */
  async #raise(level: number): Promise<void> {
    const { state, sequencer, randomBytes, onRaised } = this.#options;
    if (level <= levelInForce(state)) return;
    await sequencer.submit(configureCommand(state, { version: level }, randomBytes), (outcome) => {
      if (isRefused(outcome)) throw new Error(`the log refuses the feature level: ${outcome.refusal}`);
    });
    await onRaised();
  }

  #sayWaiting(older: readonly LogNode[]): void {
    const waitingFor = [...new Set(older.map(({ address }) => address))];
    const isNews = waitingFor.join() !== this.#waitingFor.join();
    this.#waitingFor = waitingFor;
    if (isNews && waitingFor.length > 0)
      this.#options.logger.info({ waitingFor }, 'the feature level waits for nodes of an older release');
  }
}
