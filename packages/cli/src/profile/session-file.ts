/** Session keys of a profile, one for each venue, in a private file. */

import { dirname } from 'node:path';
import type { Session } from '@venue/sdk';
import { CommandError } from '../base/command-error.ts';
import { exclusively } from './exclusive.ts';
import { privateFolder, readPrivate, replacePrivate } from './private-files.ts';
import { makeHome, type Profile } from './profile.ts';

/** Far longer than a change takes: the key that waits here is approved already, and nowhere else. */
const WAIT_MS = 30_000;

/** A session key at the venue of an address. */
export interface StoredSession extends Session {
  readonly url: string;
}

/** The session key approved here for the venue at an address, live or not, or null. */
export function loadSession(profile: Profile, url: string): StoredSession | null {
  return list(profile).find((session) => session.url === url) ?? null;
}

/** Stores a session key, replacing the previous one for the same venue. */
export function storeSession(profile: Profile, session: StoredSession): void {
  change(profile, (all) => [...all.filter(({ url }) => url !== session.url), session]);
}

/** Forgets a session key; returns whether it was here. */
export function forgetSession(profile: Profile, sessionKey: string): boolean {
  const isOther = (session: StoredSession) => session.sessionKey !== sessionKey;
  if (list(profile).every(isOther)) return false;
  change(profile, (all) => all.filter(isOther));
  return true;
}

function list({ sessionsPath: path }: Profile): StoredSession[] {
  const text = readPrivate(path);
  if (text === null) return [];
  try {
    const { entries } = JSON.parse(text);
    if (Array.isArray(entries)) return entries;
  } catch {
    // Reported below.
  }
  throw new CommandError(`${path} is damaged: remove it, and approve a new session`);
}

/** Serializes two commands that change the file at once, so that neither loses what the other stores. */
function change(
  profile: Profile,
  entriesAfter: (entries: readonly StoredSession[]) => readonly StoredSession[],
): void {
  const { sessionsPath: path } = profile;
  makeHome();
  privateFolder(dirname(path));
  const busy = () => new CommandError(`another command is changing ${path}: try again`);
  exclusively(`${path}.lock`, { waitMs: WAIT_MS, busy }, () => {
    const entries = entriesAfter(list(profile));
    replacePrivate(path, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`);
  });
}
