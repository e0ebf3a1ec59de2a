/** A terminal that is redrawn in place, and restored at the end. */

import { EXIT } from '../base/exit-codes.ts';

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

export class Screen {
  readonly #out: NodeJS.WriteStream;

  /** Takes the terminal over until the process ends, however it does. */
  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    out.write(ENTER);
    process.on('exit', () => out.write(LEAVE));
  }

  get width(): number {
    return this.#out.columns || 80;
  }

  /** Draws over the previous lines: no flicker, and nothing below the last row. */
  draw(lines: readonly string[]): void {
    const rows = this.#out.rows || 24;
    const shown = lines.slice(0, rows).map((line) => line + CLEAR_LINE);
    this.#out.write(HOME + shown.join('\r\n') + CLEAR_BELOW);
  }
}

/** Ends the process on Ctrl-C or SIGTERM with the exit code that shells expect. */
export function endOnSignal(): void {
  process.on('SIGINT', () => process.exit(EXIT.interrupted));
  process.on('SIGTERM', () => process.exit(EXIT.terminated));
}
