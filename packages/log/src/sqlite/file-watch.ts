import { Delivery } from '../delivery.ts';
import type { LogEntry } from '../log.ts';
import { isBusy } from './errors.ts';
import type { FollowedFile } from './followed-file.ts';
import { failureOf, type SqliteNews } from './messages.ts';
import { pack, transferable, unpack } from './packed.ts';

/** A look takes some 50 us, and nothing tells of a commit of another process. */
const LOOK_MS = 5;
/** Without news, how often the main thread is told that there is none. */
const TELL_MS = 100;
/** The wait after the file was locked. */
const RETRY_MS = 50;

type Post = (news: SqliteNews, give: ArrayBuffer[]) => void;

/** Looks for news of the file again and again, and sends them on. */
export class FileWatch {
  readonly #file: FollowedFile;
  readonly #post: Post;
  readonly #delivery: Delivery;
  #timer: NodeJS.Timeout | undefined;
  #isTaken = Promise.withResolvers<void>();
  #toldAtMs = 0;

  constructor(file: FollowedFile, post: Post) {
    this.#file = file;
    this.#post = post;
    const { tables } = file;
    this.#isTaken.resolve();
    this.#delivery = new Delivery({
      start: file.head,
      events: {
        committed: (entries) => this.#send(entries),
        arrived: (entries) => this.#send(entries),
        failed: (error) => this.#fail(error),
      },
      readBatches: async (fromSeq, toSeq) => {
        await this.#isTaken.promise;
        return tables.batches(fromSeq, toSeq);
      },
      readEntries: async (fromSeq, toSeq) => {
        await this.#isTaken.promise;
        return unpack(tables.entries(fromSeq, toSeq));
      },
      chainStart: async () => tables.chainStart(),
      isPassing: isBusy,
      ready: () => new Promise((resolve) => setTimeout(resolve, RETRY_MS)),
    });
  }

  begin(): undefined {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  taken(): undefined {
    this.#isTaken.resolve();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delivery.stop();
    this.#isTaken.resolve();
  }

  #look(): void {
    try {
      const atMs = monotonicMs();
      const { seq } = this.#file.headAfter(this.#delivery.delivered);
      const isNews = seq > this.#delivery.delivered.seq;
      if (isNews || atMs - this.#toldAtMs >= TELL_MS) this.#tell(seq, atMs);
      if (isNews) this.#delivery.hint(seq);
    } catch (error) {
      if (!isBusy(error)) this.#fail(error);
    }
  }

  #tell(seq: number, atMs: number): void {
    this.#toldAtMs = atMs;
    this.#post({ seen: { seq, atMs } }, []);
  }

  #send(entries: readonly LogEntry[]): void {
    this.#isTaken = Promise.withResolvers();
    const packed = pack(entries);
    this.#post({ arrived: packed }, transferable(packed));
  }

  #fail(error: unknown): void {
    this.stop();
    this.#post({ failed: failureOf(error) }, []);
  }
}

/** The same in all threads. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
