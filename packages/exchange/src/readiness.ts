/** Why a node should be sent no requests. Each reason is looked at whenever somebody asks, by the part that knows it. */

export interface Condition {
  /** As `/readyz` names it. */
  readonly reason: string;
  /**
   * While it holds the node is not ready, and:
   * - `silences`: it answers nothing but how it is, because what it knows may not be true any more.
   * - `fails`: it answers, but some requests cannot succeed.
   * - `leaves`: it still answers everything.
   */
  readonly effect: 'silences' | 'fails' | 'leaves';
  readonly holds: () => boolean;
}

/**
 * The conditions of a node. Health (`/healthz`) is the absence of those that silence or fail it, readiness (`/readyz`)
 * the absence of all.
 */
export class Readiness {
  readonly #conditions: Condition[] = [];

  /** Has a further condition looked at. */
  watch(condition: Condition): void {
    this.#conditions.push(condition);
  }

  /** Whether the node may answer from what it knows. */
  get isCurrent(): boolean {
    return !this.#conditions.some(({ effect, holds }) => effect === 'silences' && holds());
  }

  get isHealthy(): boolean {
    return !this.#conditions.some(({ effect, holds }) => effect !== 'leaves' && holds());
  }

  get isReady(): boolean {
    return this.reasons.length === 0;
  }

  /** Every reason that holds; none when the node is ready. */
  get reasons(): string[] {
    return this.#conditions.filter(({ holds }) => holds()).map(({ reason }) => reason);
  }
}
