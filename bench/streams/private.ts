/** The private frames of one account: each of its fills once and in order, and the account after them. */

import assert from 'node:assert/strict';
import type { StreamFrame } from '@venue/protocol';
import { fillOfAccount, fillOfQty, qtyMicrosOf, tickOf } from './plan.ts';

export class PrivateStream {
  readonly #account: number;
  readonly #ticksMs: readonly number[];
  #fills = 0;
  /** Number and sum of the fills included in the last account frame. */
  #counted = 0;
  #heldMicros = 0;

  constructor(account: number, ticksMs: readonly number[]) {
    this.#account = account;
    this.#ticksMs = ticksMs;
  }

  /** Frames still missing up to the end of a tick: fills, and the account after the last of them. */
  missing(tick: number): number {
    let all = this.#fills;
    while (tickOf(fillOfAccount(this.#account, all)) <= tick) all += 1;
    return all - this.#fills + (this.#counted < all ? 1 : 0);
  }

  /** The planned time of the oldest news in a frame; null if it has none. Throws when the frame is wrong. */
  plannedMsOf(frame: StreamFrame): number | null {
    if (frame.type === 'fill') return this.#momentOf(this.#takeFill(fillOfQty(frame.fill.qty)));
    if (frame.type === 'account') return this.#takeAccount(frame.account.positions);
    assert.deepEqual(frame, { type: 'orders', orders: [] });
    return null;
  }

  #takeFill(fill: number): number {
    assert.equal(fill, fillOfAccount(this.#account, this.#fills));
    this.#fills += 1;
    return fill;
  }

  #takeAccount(positions: readonly { readonly qty: number }[]): number | null {
    assert.ok(positions.length <= 1);
    const heldMicros = Math.round((positions[0]?.qty ?? 0) * 1e6);
    const oldest = fillOfAccount(this.#account, this.#counted);
    const isNews = heldMicros > this.#heldMicros;
    while (this.#heldMicros < heldMicros) {
      this.#heldMicros += qtyMicrosOf(fillOfAccount(this.#account, this.#counted));
      this.#counted += 1;
    }
    assert.equal(this.#heldMicros, heldMicros, 'the position is not the sum of the first fills');
    return isNews ? this.#momentOf(oldest) : null;
  }

  #momentOf(fill: number): number {
    return this.#ticksMs[tickOf(fill)]!;
  }
}
