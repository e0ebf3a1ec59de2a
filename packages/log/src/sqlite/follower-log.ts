import { Contact } from '../contact.ts';
import type { Head, ReadOnlyLog } from '../log.ts';
import { IN_TOUCH, type StoreEvents, type StoreStatus } from '../store.ts';
import { FollowingLog } from '../stored-log.ts';
import { emitWarning } from '../warning.ts';
import { errorOf, type SqliteNews } from './messages.ts';
import { unpack } from './packed.ts';
import { type LogThread, openInThread, ThreadStore } from './thread-store.ts';

/**
 * Opens the log in an SQLite file that another process of this machine may be writing, to read it and follow it. Changes
 * nothing in it, and keeps nobody from writing. Throws `LogOpenError`, whose message is one line for the operator.
 */
export async function openSqliteFollower(path: string): Promise<ReadOnlyLog> {
  const url = new URL('./follower-worker.ts', import.meta.url);
  return new FollowingLog(new FollowerStore(await openInThread(url, path, emitWarning)));
}

/** The file of a log that another process writes. */
class FollowerStore extends ThreadStore {
  readonly #contact = new Contact();
  #events!: StoreEvents;
  /** The last entry delivered. */
  #head: Head;
  #knownSeq: number;

  constructor({ worker, head }: LogThread) {
    super(worker);
    this.#head = head;
    this.#knownSeq = head.seq;
  }

  override get head(): Head {
    return this.#head;
  }

  override begin(events: StoreEvents): void {
    this.#events = events;
    super.begin(events);
    // What keeps it from following is told as a failure.
    this.ask('follow', []).catch(() => {});
  }

  override status(): StoreStatus {
    const lagEntries = Math.max(0, this.#knownSeq - this.#head.seq);
    return { ...IN_TOUCH, lastContactMs: this.#contact.ageMs, lagEntries };
  }

  protected override hear(news: SqliteNews): void {
    if ('failed' in news) this.#events.failed(errorOf(news.failed));
    else if ('seen' in news) this.#note(news.seen);
    else this.#deliver(news);
  }

  #note({ seq, atMs }: { readonly seq: number; readonly atMs: number }): void {
    this.#knownSeq = seq;
    const ageMs = Number(process.hrtime.bigint()) / 1e6 - atMs;
    this.#contact.note({ seq, sentMs: performance.now() - ageMs }, this.#head.seq);
  }

  #deliver({ arrived }: Extract<SqliteNews, { arrived: unknown }>): void {
    const entries = unpack(arrived);
    const { seq, ts } = entries.at(-1)!;
    this.#head = { seq, ts };
    this.#contact.deliver(seq);
    this.#events.arrived(entries);
    this.ask('taken', []).catch(() => {});
  }
}
