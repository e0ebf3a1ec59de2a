/** Names of price sources (FEED-1). */

/** How the name of a source begins whose prices nobody trades at: simulated, or replayed from a file. */
export const SIMULATED_PREFIX = 'sim:';

/** True for a source whose prices are simulated or replayed. */
export function isSimulated(source: string): boolean {
  return source.startsWith(SIMULATED_PREFIX);
}
