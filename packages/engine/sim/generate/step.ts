/** One entry of a planned sequence. */

import type { Command } from '../../src/entry/command.ts';

export interface Step {
  /** Pause before the entry. */
  readonly afterMs?: number;
  /** The entry comes no earlier than this. */
  readonly atMs?: number;
  /** Made only when its turn comes. */
  readonly command: () => Command;
}
