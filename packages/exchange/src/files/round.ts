/** One round over the days: makes those that are missing or damaged, and checks those that are there. */

import { anchorOf, checkDay, type Day, daysIn, removeRemains } from './day-folder.ts';
import { DayRows } from './day-rows.ts';
import { makeDay } from './make-day.ts';
import { dayName } from './tables.ts';

export interface RoundTask {
  /** The file of the history. */
  readonly history: string;
  readonly folder: string;
  /** Names the log entry up to which the history is flushed. */
  readonly anchor: string;
  /** Anchors of days that are of another log. */
  readonly foreignAnchors: readonly string[];
  /** Days that are served, and so need no check. */
  readonly known: readonly number[];
}

export type RoundNews =
  | { readonly kind: 'made' | 'found'; readonly day: Day }
  /** A day that cannot be served: damaged or foreign, and older than the history. */
  | { readonly kind: 'lost'; readonly name: string };

/** Does a round, and says what came of each day. Throws the error of the history or of the disk. */
export function* doRound(task: RoundTask): Generator<RoundNews, void> {
  const { history, folder } = task;
  removeRemains(folder);
  const present = daysIn(folder);
  const rows = new DayRows(history);
  try {
    const finished = [...rows.finishedDays()];
    const missing = finished.filter((day) => !present.includes(day));
    const make = (day: number): RoundNews => ({
      kind: 'made',
      day: makeDay(folder, day, rows, task.anchor),
    });
    for (const day of missing) yield make(day);
    for (const day of present) {
      if (task.known.includes(day)) continue;
      const canMake = finished.includes(day);
      const found = isOurs(task, day, canMake) ? checkDay(folder, day) : null;
      if (found !== null) yield { kind: 'found', day: found };
      else if (canMake) yield make(day);
      else yield { kind: 'lost', name: dayName(day) };
    }
  } finally {
    rows.close();
  }
}

/** Days that were downloaded from another node have no anchor, and are taken where the history is too short for them. */
function isOurs({ folder, foreignAnchors }: RoundTask, day: number, canMake: boolean): boolean {
  const anchor = anchorOf(folder, day);
  return anchor === '' ? !canMake : !foreignAnchors.includes(anchor);
}
