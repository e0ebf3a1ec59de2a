/** The five frames of the stream (WS-1), as bytes. */

import type { Account, FillRecord, State, TapePrint } from '@venue/engine';
import type { StreamFrame } from '@venue/protocol';
import { accountView, streamOrdersView } from '../views/account.ts';
import { streamFillView } from '../views/fills.ts';
import { instrumentsView, tapePrintView } from '../views/market.ts';

export function accountFrame(state: State, account: Account): Buffer {
  return bytesOf({ type: 'account', account: accountView(state, account) });
}

/** All resting orders, ascending by id; may be empty. */
export function ordersFrame(state: State, account: Account): Buffer {
  return bytesOf({ type: 'orders', orders: streamOrdersView(state, account) });
}

export function fillFrame(fill: FillRecord): Buffer {
  return bytesOf({ type: 'fill', fill: streamFillView(fill) });
}

export function spotsFrame(state: State, nowMs: number): Buffer {
  return bytesOf({ type: 'spots', spots: instrumentsView(state, nowMs) });
}

export function tapeFrame(print: TapePrint): Buffer {
  return bytesOf({ type: 'tape', symbol: print.series.instrument.symbol, print: tapePrintView(print) });
}

function bytesOf(frame: StreamFrame): Buffer {
  return Buffer.from(JSON.stringify(frame));
}
