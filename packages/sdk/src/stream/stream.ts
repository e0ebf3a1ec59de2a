/** One connection of the push channel: frames of the market, and of the account whose token opened it. */

import type { StreamFrame } from '@venue/protocol';
import { VenueUnreachableError } from '../net/errors.ts';
import { onFrames, openSocket, type SocketAddress } from '../net/socket.ts';
import type { Transport } from '../net/transport.ts';

export interface StreamHandlers {
  onFrame(frame: StreamFrame): void;
}

export interface Stream {
  /** False once either side has ended the connection. Fills missed since then are in `account.fills`. */
  readonly isOpen: boolean;
  close(): void;
}

const OPEN = 1;

/**
 * Rejects with `VenueUnreachableError` if the venue refuses or cannot be reached. The signal of the transport closes it.
 */
export function openStream(
  address: SocketAddress,
  handlers: StreamHandlers,
  { handlers: user, signal }: Pick<Transport, 'handlers' | 'signal'>,
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(address);
    const stream: Stream = {
      get isOpen() {
        return socket.readyState === OPEN;
      },
      close: () => socket.close(),
    };
    socket.addEventListener('open', () => resolve(stream));
    socket.addEventListener('close', () =>
      reject(new VenueUnreachableError(`no stream from ${address.url}`)),
    );
    onFrames(socket, (frame) => user.call(() => handlers.onFrame(frame)));
    const close = () => socket.close();
    if (signal?.aborted) close();
    signal?.addEventListener('abort', close);
    socket.addEventListener('close', () => signal?.removeEventListener('abort', close));
  });
}
