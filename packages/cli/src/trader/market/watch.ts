/** `venue watch`: the stream, redrawn in place on a terminal, line by line elsewhere. */

import type { StreamFrame } from '@venue/protocol';
import { openChannels, type VenueClient } from '@venue/sdk';
import { type CommonOptions, readingClient, saySimulated, signedIn } from '../../connection/connection.ts';
import { pageOf, say, write } from '../../terminal/output.ts';
import { plain } from '../../terminal/plain.ts';
import { endOnSignal, Screen } from '../../terminal/screen.ts';
import { utcSecond } from '../../terminal/times.ts';
import { followAccount, followMarket } from './watch-frames.ts';
import { WatchState } from './watch-state.ts';

export interface WatchOptions extends CommonOptions {
  readonly account?: true;
}

/** Runs until Ctrl-C, or until the reader of its lines has gone. */
export async function runWatchCommand(symbol: string | undefined, options: WatchOptions): Promise<void> {
  const account = options.account ?? false;
  const client = account ? await signedIn(options) : readingClient(options);
  const name = symbol?.toUpperCase();
  // Refuses an unknown one.
  if (symbol !== undefined) await client.market.tape(symbol);
  await saySimulated(client, options);
  endOnSignal();
  const out = viewOf(new WatchState(name), { client, symbol, options });
  const channels = openChannels(client, {
    onLive: () => out.onConnection('live'),
    onLost: ({ reason, retryInMs }) =>
      out.onConnection(`${plain(reason.message)}; again in ${(retryInMs / 1_000).toFixed(1)} s`),
  });
  const onFrame = (frame: StreamFrame) => out.onFrame(frame);
  await Promise.race([
    ...(name !== undefined || !account ? [followMarket(channels, name, onFrame)] : []),
    ...(account ? [followAccount(channels, onFrame)] : []),
  ]);
}

interface View {
  onFrame(frame: StreamFrame): void;
  /** The state of the connection, as a word for people. */
  onConnection(word: string): void;
}

function viewOf(
  state: WatchState,
  { client, symbol, options }: { client: VenueClient; symbol: string | undefined; options: WatchOptions },
): View {
  if (options.json)
    return { onFrame: (frame) => write(`${JSON.stringify(frame)}\n`), onConnection: printState };
  if (process.stdout.isTTY) return new Drawing(state, `${symbol?.toUpperCase() ?? 'venue'} at ${client.url}`);
  const onFrame = (frame: StreamFrame) => {
    for (const line of state.apply(frame)) write(`${utcSecond(Date.now())} ${line}\n`);
  };
  return { onFrame, onConnection: printState };
}

function printState(word: string): void {
  say(`venue: ${word}`);
}

/** Redrawing more often than people can see would be a waste. */
const DRAW_MS = 250;

class Drawing implements View {
  readonly #state: WatchState;
  readonly #title: string;
  readonly #screen = new Screen(process.stdout);
  #connection = 'connecting';

  constructor(state: WatchState, title: string) {
    this.#state = state;
    this.#title = title;
    setInterval(() => this.#draw(), DRAW_MS);
    process.stdout.on('resize', () => this.#draw());
  }

  onFrame(frame: StreamFrame): void {
    this.#state.apply(frame);
  }

  onConnection(word: string): void {
    this.#connection = word;
  }

  #draw(): void {
    const page = pageOf(process.stdout);
    const head = `${this.#title}  ${this.#connection}  ${utcSecond(Date.now())} UTC  (Ctrl-C ends)`;
    this.#screen.draw([page.paint(head.slice(0, page.width), 'dim'), '', ...this.#state.lines(page)]);
  }
}
