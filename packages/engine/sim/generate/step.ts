/** One entry of a planned sequence. */

import type { Command } from '../../src/entry/command.ts';

export interface Step {
  /** Pause before the entry. */
  readonly afterMs?: number;
  /** The earliest time of the entry. */
  readonly atMs?: number;
  /** Made when its turn comes. */
  readonly command: () => Command;
}
