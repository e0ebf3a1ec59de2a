/**
 * Keeps the log for the tab, so that loading the page again does not lose it: the last lines of each account at this
 * venue. They are what the page has shown, and have no keys or tokens in them.
 */

import { membersOf, readKept, type Storage, writeKept } from '../../../basics/kept.ts';
import type { MarketStores } from '../../../market/state.ts';
import type { SessionStores, SignedIn } from '../../../session/state.ts';
import type { NoticeStores } from './state.ts';
import { LOG_LINES, type LogLine, type Notice } from './state.ts';

type KeptLine = Omit<LogLine, 'id'>;

/** Longer texts than the page ever has were written by somebody else. */
const CHARACTERS_MAX = 2_000;
const TONES: readonly unknown[] = ['good', 'plain', 'warning', 'danger'] satisfies readonly Notice['tone'][];
/** The owner of the lines before anybody has signed in. */
const NOBODY = '';

/**
 * From now on the log is that of the account that is signed in, and goes on where this tab left it. Lines of before a
 * sign-in go with the account. Where the browser keeps nothing, or the venue does not say its id, the log lasts as long
 * as the page.
 */
export function keepLog(
  storage: () => Storage,
  { notices, session, link }: NoticeStores & Pick<SessionStores, 'session'> & Pick<MarketStores, 'link'>,
): void {
  let owner: string | null = null;
  const linesOf = () => {
    const { list, earlier } = notices.getState();
    return [...list, ...earlier].slice(0, LOG_LINES).map(lineOf);
  };
  const write = () => {
    const { venue } = link.getState();
    if (venue !== null && owner !== null) writeKept(storage, nameOf(owner), { venue, lines: linesOf() });
  };
  const follow = () => {
    const { venue } = link.getState();
    const next = ownerOf(session.getState());
    if (venue === null || next === null || next === owner) return;
    const kept = read(storage, next, venue);
    const isHandedOn = owner === null || owner === NOBODY;
    if (owner === NOBODY) writeKept(storage, nameOf(NOBODY), null);
    owner = next;
    if (isHandedOn) notices.setState(({ earlier }) => ({ earlier: newestFirst([...earlier, ...kept]) }));
    else notices.setState({ list: [], earlier: kept });
  };
  session.subscribe(follow);
  link.subscribe(follow);
  notices.subscribe(write);
  follow();
}

/** Null while it is being decided. */
function ownerOf({ state, address }: SignedIn): string | null {
  if (state === 'connecting' || state === 'signing') return null;
  return address?.toLowerCase() ?? NOBODY;
}

function lineOf({ tone, title, text, lines, atMs }: KeptLine): KeptLine {
  return { tone, title, text, atMs, ...(lines !== undefined && { lines }) };
}

/** Their ids are negative, and so none of a notice. */
function newestFirst(lines: readonly KeptLine[]): LogLine[] {
  const newest = lines.toSorted((a, b) => b.atMs - a.atMs).slice(0, LOG_LINES);
  return newest.map((line, i) => ({ ...lineOf(line), id: -1 - i }));
}

/** Drops the lines of another venue at this address. */
function read(storage: () => Storage, owner: string, venue: string): LogLine[] {
  const { venue: of, lines } = membersOf(readKept(storage, nameOf(owner)));
  if (of === venue && Array.isArray(lines)) return newestFirst(lines.filter(isLine));
  writeKept(storage, nameOf(owner), null);
  return [];
}

function nameOf(owner: string): string {
  return `venue-log ${owner}`;
}

function isLine(kept: unknown): kept is KeptLine {
  const { tone, title, text, lines, atMs } = membersOf(kept);
  return (
    TONES.includes(tone) &&
    [title, text, ...(Array.isArray(lines) ? lines : [])].every(isText) &&
    (lines === undefined || Array.isArray(lines)) &&
    typeof atMs === 'number' &&
    Math.abs(atMs) <= LAST_MS
  );
}

/** The last moment that has a date. */
const LAST_MS = 8.64e15;

function isText(kept: unknown): kept is string {
  return typeof kept === 'string' && kept.length <= CHARACTERS_MAX;
}
