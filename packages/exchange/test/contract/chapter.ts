/** A chapter: a sequence of requests on one stage, recorded by a scribe. */

import type { Scribe } from './scribe.ts';
import type { Stage, StageName } from './stage.ts';

export interface Chapter {
  readonly title: string;
  readonly on: StageName;
  /** True if it needs a clock that stands still, which no running service has. */
  readonly needsClock?: boolean;
  readonly play: (stage: Stage, scribe: Scribe) => Promise<void>;
}
