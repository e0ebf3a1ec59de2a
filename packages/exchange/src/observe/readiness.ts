/** Why a node should not be sent requests. Each reason is evaluated on demand, by the part that knows it. */

export interface Condition {
  /** The name that `/readyz` shows. */
  readonly reason: string;
  /**
   * While the condition holds the node is not ready, and:
   * - `silences`: it answers only health requests, because its knowledge may be out of date.
   * - `fails`: it answers, but some requests cannot succeed.
   * - `leaves`: it still answers everything.
   */
  readonly effect: 'silences' | 'fails' | 'leaves';
  readonly holds: () => boolean;
}

/**
 * The conditions of a node. It is healthy (`/healthz`) while none silences or fails it, and ready (`/readyz`) while
 * none holds.
 */
export class Readiness {
  readonly #conditions: Condition[] = [];

  /** Adds a condition. */
  watch(condition: Condition): void {
    this.#conditions.push(condition);
  }

  /** True if the node may answer from its state. */
  get isCurrent(): boolean {
    return !this.#conditions.some(({ effect, holds }) => effect === 'silences' && holds());
  }

  get isHealthy(): boolean {
    return !this.#conditions.some(({ effect, holds }) => effect !== 'leaves' && holds());
  }

  get isReady(): boolean {
    return this.reasons.length === 0;
  }

  /** Every reason that holds; none while the node is ready. */
  get reasons(): string[] {
    return this.#conditions.filter(({ holds }) => holds()).map(({ reason }) => reason);
  }
}
