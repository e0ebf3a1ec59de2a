/** The content of a channel, and how it is written (STR-2). */

import type { EndReason } from './ends.ts';

/** One changed part of a content. */
export interface Change {
  /** The member of the message that it belongs to. */
  readonly member: string;
  /** Identifies the row of a list; null for a member that is one value. */
  readonly key: string | number | null;
  readonly json: string;
}

export interface Content {
  /** Why nothing changes in it any more; null or absent while something may (STR-5). */
  readonly ended?: EndReason | null;
  /** Grows with whatever may change it, even if the next change takes that back; without it, every entry may. */
  readonly version?: number;
  /** All of it as JSON members without braces, as it was when `changes` was last called. */
  snapshot(): string;
  /** Returns the changes since the last call or, at the first, since the content was made. */
  changes(): readonly Change[];
}

export const NO_CHANGES: readonly Change[] = [];

/** A change of a member that is one value. */
export function valueChange(member: string, value: unknown): Change {
  return { member, key: null, json: JSON.stringify(value) };
}

/** JSON members without braces, lists in the order of their changes. */
export function membersOf(changes: Iterable<Change>): string {
  const lists = new Map<string, string[]>();
  const members: string[] = [];
  for (const { member, key, json } of changes) {
    if (key === null) members.push(`"${member}":${json}`);
    else if (lists.has(member)) lists.get(member)!.push(json);
    else lists.set(member, [json]);
  }
  for (const [member, rows] of lists) members.push(`"${member}":[${rows.join(',')}]`);
  return members.join(',');
}

/** The members of an object as JSON, without its braces. */
export function jsonMembers(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
