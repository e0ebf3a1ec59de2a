/** Session keys of a profile, one for each venue, in a private file. */

import type { Session } from '@venue/sdk';
import { CommandError } from '../base/command-error.ts';
import { readPrivate, replacePrivate } from './private-files.ts';
import { makeHome, type Profile } from './profile.ts';

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
  const others = list(profile).filter(({ url }) => url !== session.url);
  save(profile, [...others, session]);
}

/** Forgets a session key; returns whether it was here. */
export function forgetSession(profile: Profile, sessionKey: string): boolean {
  const all = list(profile);
  const left = all.filter((session) => session.sessionKey !== sessionKey);
  if (left.length < all.length) save(profile, left);
  return left.length < all.length;
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
  throw new CommandError(`${path} is damaged: remove it, and approve a session anew`);
}

function save({ sessionsPath }: Profile, entries: readonly StoredSession[]): void {
  makeHome();
  replacePrivate(sessionsPath, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`);
}
