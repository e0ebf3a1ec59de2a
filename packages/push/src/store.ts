/**
 * Devices, news that wait to be joined, and messages that wait to be sent, in one SQLite file. What was told and how far
 * the log was read change together, so that a process killed at any moment neither forgets nor repeats (PUSH-5).
 */

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ConfigError } from '@venue/config';
import type { Address, NewsKind, PushSubscriptionTerms } from '@venue/protocol';
import type { Place } from './follow.ts';
import type { News } from './news.ts';

const VERSION = 1;

const SCHEMA = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE devices (
    account TEXT NOT NULL, id TEXT NOT NULL,
    endpoint TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL, publicKey TEXT NOT NULL,
    kinds TEXT NOT NULL, name TEXT NOT NULL, sessionKey TEXT NOT NULL, since INTEGER NOT NULL,
    PRIMARY KEY (account, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX devicesById ON devices (id);
  CREATE TABLE nonces (
    account TEXT NOT NULL, sessionKey TEXT NOT NULL, nonce INTEGER NOT NULL,
    PRIMARY KEY (account, sessionKey)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE news (
    account TEXT NOT NULL, kind TEXT NOT NULL, tag TEXT NOT NULL, due INTEGER NOT NULL, news TEXT NOT NULL,
    PRIMARY KEY (account, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE messages (
    n INTEGER PRIMARY KEY, account TEXT NOT NULL, device TEXT NOT NULL, host TEXT NOT NULL, kind TEXT NOT NULL,
    payload TEXT NOT NULL, made INTEGER NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX messagesByDue ON messages (due);
  CREATE INDEX messagesByMade ON messages (made);
  CREATE INDEX messagesByDevice ON messages (account, device);
`;

/** A device that is told. */
export interface Device extends PushSubscriptionTerms {
  readonly account: Address;
  readonly id: string;
  readonly name: string;
  readonly kinds: readonly NewsKind[];
  /** The session key that turned it on. */
  readonly sessionKey: Address;
  /** The key of VAPID that its subscription is bound to. */
  readonly publicKey: string;
  /** Unix ms. */
  readonly since: number;
}

/** News that are joined until they are due. */
export interface Waiting {
  readonly account: Address;
  readonly kind: NewsKind;
  readonly tag: string;
  readonly due: number;
  readonly news: News;
}

export interface Message {
  readonly n: number;
  readonly account: Address;
  readonly device: string;
  /** The host of the device's push service. */
  readonly host: string;
  readonly kind: NewsKind;
  /** JSON of a `PushMessage`. */
  readonly payload: string;
  /** Unix ms at which it was made. */
  readonly made: number;
  readonly attempts: number;
}

type Row = Record<string, string | number>;

export class PushStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens or creates a file that only its user can read. Throws `ConfigError` if it cannot be used, or is used by another
   * process.
   */
  constructor(path: string) {
    try {
      const folder = dirname(path);
      // Creates only the last folder, so that a mistyped path is not created.
      if (!existsSync(folder)) mkdirSync(folder);
      this.#database = new DatabaseSync(path);
      this.#prepare(path);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const why = (error as Error).message;
      const remedy =
        'one process at a time uses it; a damaged one is moved away, and devices turned on again';
      throw new ConfigError(`VENUE_PUSH_STATE: ${path} cannot be used: ${why}; ${remedy}`);
    }
  }

  #prepare(path: string): void {
    this.#database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    // The file knows where browsers take messages.
    if (path !== ':memory:') chmodSync(path, 0o600);
    const { user_version: version } = this.#database.prepare('PRAGMA user_version').get() as Row;
    if (version === 0)
      this.together(() => this.#database.exec(`${SCHEMA}; PRAGMA user_version = ${VERSION}`));
    else if (version !== VERSION)
      throw new ConfigError(
        `VENUE_PUSH_STATE: ${path} is of version ${version}, which this release does not read`,
      );
  }

  /** Makes all changes of `change`, or none. */
  together<T>(change: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // With a full disk SQLite may have rolled back by itself; doing it again would throw, and hide the cause.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  // The log

  place(): Place | null {
    const text = this.#fact('place');
    return text === null ? null : (JSON.parse(text) as Place);
  }

  setPlace(place: Place): void {
    this.#setFact('place', JSON.stringify(place));
  }

  /** Binds the file to a venue; false if it is of another. */
  isOf(venue: string): boolean {
    const known = this.#fact('venue');
    if (known === null) this.#setFact('venue', venue);
    return known === null || known === venue;
  }

  // Devices

  /** Every device, by account and in the order in which an account's were turned on. */
  devices(): Device[] {
    return this.#all('SELECT * FROM devices ORDER BY account, since').map(deviceOf);
  }

  devicesOf(account: Address): Device[] {
    return this.#all('SELECT * FROM devices WHERE account = ? ORDER BY since', account).map(deviceOf);
  }

  device(account: Address, id: string): Device | null {
    const row = this.#all('SELECT * FROM devices WHERE account = ? AND id = ?', account, id)[0];
    return row === undefined ? null : deviceOf(row);
  }

  count(): number {
    return this.#number('SELECT count(*) AS n FROM devices');
  }

  putDevice(device: Device): void {
    const { account, id, endpoint, p256dh, auth, publicKey, kinds, name, sessionKey, since } = device;
    this.#run(
      'INSERT OR REPLACE INTO devices (account, id, endpoint, p256dh, auth, publicKey, kinds, name, sessionKey, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[account, id, endpoint, p256dh, auth, publicKey, kinds.join(','), name, sessionKey, since],
    );
  }

  /** Forgets a device of an account, with its waiting messages. */
  dropDevice(account: Address, id: string): void {
    this.#run('DELETE FROM devices WHERE account = ? AND id = ?', account, id);
    this.#run('DELETE FROM messages WHERE account = ? AND device = ?', account, id);
  }

  /** Forgets a device of every account: its push service no longer knows it. Returns those accounts. */
  dropEverywhere(id: string): Address[] {
    const accounts = this.#all('SELECT account FROM devices WHERE id = ?', id).map(
      ({ account }) => account as Address,
    );
    for (const account of accounts) this.dropDevice(account, id);
    return accounts;
  }

  // Nonces

  /** Spends a nonce: false unless it is above the last one of this session of the account. */
  spend(account: Address, sessionKey: Address, nonce: number): boolean {
    const last = this.#all(
      'SELECT nonce FROM nonces WHERE account = ? AND sessionKey = ?',
      account,
      sessionKey,
    )[0];
    if (last !== undefined && (last.nonce as number) >= nonce) return false;
    this.#run(
      'INSERT OR REPLACE INTO nonces (account, sessionKey, nonce) VALUES (?, ?, ?)',
      account,
      sessionKey,
      nonce,
    );
    return true;
  }

  forgetNonces(below: number): void {
    this.#run('DELETE FROM nonces WHERE nonce < ?', below);
  }

  // News and messages

  waiting(account: Address, kind: NewsKind): Waiting | null {
    const row = this.#all('SELECT * FROM news WHERE account = ? AND kind = ?', account, kind)[0];
    return row === undefined ? null : waitingOf(row);
  }

  putWaiting({ account, kind, tag, due, news }: Waiting): void {
    this.#run(
      'INSERT OR REPLACE INTO news (account, kind, tag, due, news) VALUES (?, ?, ?, ?, ?)',
      ...[account, kind, tag, due, JSON.stringify(news)],
    );
  }

  /** Due news, the earliest first; with those that a wrong clock put off past `farMs`. */
  dueNews(now: number, farMs: number, limit: number): Waiting[] {
    const sql = 'SELECT * FROM news WHERE due <= ? OR due > ? ORDER BY due LIMIT ?';
    return this.#all(sql, now, farMs, limit).map(waitingOf);
  }

  dropWaiting(account: Address, kind: NewsKind): void {
    this.#run('DELETE FROM news WHERE account = ? AND kind = ?', account, kind);
  }

  addMessage({ account, device, host, kind, payload, made }: Omit<Message, 'n' | 'attempts'>): void {
    this.#run(
      'INSERT INTO messages (account, device, host, kind, payload, made, due, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, 0)',
      ...[account, device, host, kind, payload, made, made],
    );
  }

  /** Keeps only the newest messages of a device. Returns how many were dropped. */
  boundMessages(account: Address, device: string, kept: number): number {
    return this.#run(
      'DELETE FROM messages WHERE account = ? AND device = ? AND n NOT IN (SELECT n FROM messages WHERE account = ? AND device = ? ORDER BY n DESC LIMIT ?)',
      ...[account, device, account, device, kept],
    );
  }

  /**
   * Due messages of all hosts but the given, the earliest first; with those that a wrong clock put off past `farMs`.
   */
  dueMessages(now: number, farMs: number, limit: number, without: readonly string[] = []): Message[] {
    const sql =
      'SELECT * FROM messages WHERE (due <= ? OR due > ?) AND host NOT IN (SELECT value FROM json_each(?)) ORDER BY due LIMIT ?';
    return this.#all(sql, now, farMs, JSON.stringify(without), limit) as unknown as Message[];
  }

  messageCount(): number {
    return this.#number('SELECT count(*) AS n FROM messages');
  }

  postpone(n: number, due: number): void {
    this.#run('UPDATE messages SET due = ?, attempts = attempts + 1 WHERE n = ?', due, n);
  }

  dropMessage(n: number): void {
    this.#run('DELETE FROM messages WHERE n = ?', n);
  }

  /** Drops messages made outside a span of time: they are old, or the clock was wrong when they were made. */
  dropMessagesOutside(from: number, to: number): number {
    return this.#run('DELETE FROM messages WHERE made < ? OR made > ?', from, to);
  }

  /** Drops news that were due before that: they come from an old copy of the file. */
  dropNewsBefore(from: number): number {
    return this.#run('DELETE FROM news WHERE due < ?', from);
  }

  #fact(name: string): string | null {
    return (
      (this.#all('SELECT value FROM facts WHERE name = ?', name)[0]?.value as string | undefined) ?? null
    );
  }

  #setFact(name: string, value: string): void {
    this.#run('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)', name, value);
  }

  #number(sql: string): number {
    return this.#all(sql)[0]!.n as number;
  }

  #all(sql: string, ...values: readonly (string | number)[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  #run(sql: string, ...values: readonly (string | number)[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function deviceOf(row: Row): Device {
  const { kinds, ...rest } = row;
  return { ...rest, kinds: (kinds as string).split(',') } as unknown as Device;
}

function waitingOf(row: Row): Waiting {
  return { ...row, news: JSON.parse(row.news as string) } as unknown as Waiting;
}
