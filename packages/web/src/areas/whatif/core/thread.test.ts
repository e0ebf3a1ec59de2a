import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Book } from './book.ts';
import type { Question, Reply } from './messages.ts';
import { WhatIfThread, type WhatIfWorker } from './thread.ts';
import { PRESENT } from './what-if.ts';

const book = { atMs: 1 } as Book;
const at = (spot: number) => ({ ...PRESENT, spot });

/** A worker that answers when it is told to. */
class ToldWorker implements WhatIfWorker {
  readonly asked: Question[] = [];
  isEnded = false;
  readonly #listeners = new Map<string, (event: MessageEvent<Reply>) => void>();
  postMessage(question: Question): void {
    this.asked.push(question);
  }
  addEventListener(type: string, listener: unknown): void {
    this.#listeners.set(type, listener as () => void);
  }
  terminate(): void {
    this.isEnded = true;
  }
  answer(): void {
    const answer = { at: this.asked.at(-1)!.at } as Extract<Reply, { answer: unknown }>['answer'];
    this.#listeners.get('message')!({ data: { answer } } as MessageEvent<Reply>);
  }
  fail(): void {
    this.#listeners.get('error')!({} as MessageEvent<Reply>);
  }
}

function opened() {
  const workers: ToldWorker[] = [];
  const told: string[] = [];
  const thread = new WhatIfThread({
    onReply: (reply) => told.push('answer' in reply ? String(reply.answer.at.spot) : 'survey'),
    onFailed: () => told.push('failed'),
    start() {
      const worker = new ToldWorker();
      workers.push(worker);
      return worker;
    },
  });
  return { thread, workers, told };
}

describe('the thread of what-ifs', () => {
  it('asks one question at a time, and of those that wait the newest', () => {
    const { thread, workers, told } = opened();
    for (const spot of [0.1, 0.2, 0.3]) thread.ask(book, at(spot));
    const [worker] = workers as [ToldWorker];
    assert.equal(worker.asked.length, 1);
    worker.answer();
    worker.answer();
    assert.deepEqual(told, ['0.1', '0.3']);
    assert.deepEqual(
      worker.asked.map((question) => question.book),
      [book, null],
    );
    assert.equal(workers.length, 1);
  });

  it('sends another book along with the question', () => {
    const { thread, workers } = opened();
    thread.ask(book, PRESENT);
    workers[0]!.answer();
    const other = { ...book };
    thread.ask(other, PRESENT);
    assert.equal(workers[0]!.asked.at(-1)!.book, other);
  });

  it('says when its worker fails, and starts another with the next question and the whole book', () => {
    const { thread, workers, told } = opened();
    thread.ask(book, at(0.1));
    thread.ask(book, at(0.2));
    workers[0]!.fail();
    assert.deepEqual([told, workers[0]!.isEnded], [['failed'], true]);
    thread.ask(book, at(0.3));
    assert.equal(workers[1]!.asked[0]!.book, book);
    workers[1]!.answer();
    assert.deepEqual(told, ['failed', '0.3']);
  });
});
