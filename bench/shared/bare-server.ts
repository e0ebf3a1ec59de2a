/** The server of a baseline: it answers the handshake of WebSocket clients, and sends them prepared bytes on order. */

import { type AddressInfo, createServer, type Socket } from 'node:net';

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';

/**
 * Makes this child process such a server. It answers `listen` with its address, and any other order, which it hands on,
 * before the first byte is sent.
 */
export function serveBare<Order extends { readonly do: 'send' }>(
  send: (order: Order, sockets: readonly Socket[]) => void,
): void {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.once('data', () => {
      socket.write(SWITCH);
      sockets.push(socket);
    });
    socket.on('error', () => {});
  });
  process.on('message', (order: Order | { readonly do: 'listen' }) => {
    if (order.do === 'send') {
      send(order, sockets);
      process.send!({});
      return;
    }
    server.listen(0, '127.0.0.1', () => {
      process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
  process.once('disconnect', () => process.exit());
}
