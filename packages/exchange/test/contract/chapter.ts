/** A chapter: a story on one stage, told to a scribe. */

import type { Scribe } from './scribe.ts';
import type { Stage, StageName } from './stage.ts';

export interface Chapter {
  readonly title: string;
  readonly on: StageName;
  /** Whether it needs a clock that stands still, so that no running service can play it. */
  readonly needsClock?: boolean;
  readonly play: (stage: Stage, scribe: Scribe) => Promise<void>;
}
