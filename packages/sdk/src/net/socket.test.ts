import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StreamFrame } from '@venue/protocol';
import { onFrames, type WebSocketLike } from './socket.ts';

it('a frame that cannot be read closes the socket, and reaches no handler (WS-1)', () => {
  for (const text of ['', '<html>', 'null', '1']) {
    let closed = 0;
    let say: (event: { data: unknown }) => void = () => {};
    const socket: WebSocketLike = {
      readyState: 1,
      addEventListener: (_type: string, listener: typeof say) => {
        say = listener;
      },
      send: () => {},
      close: () => {
        closed += 1;
      },
    };
    const frames: StreamFrame[] = [];
    onFrames(socket, (frame) => frames.push(frame));
    say({ data: '{"type":"spot"}' });
    assert.deepEqual([frames.length, closed], [1, 0]);
    say({ data: text });
    assert.deepEqual([frames.length, closed], [1, 1], text);
  }
});
