/** Opens the channels of a client's venue. */

import { webSocketOf } from '../net/socket.ts';
import type { ChannelsOptions } from '../stream/channel-connection.ts';
import { Channels } from '../stream/channels.ts';
import { partsOfClient, type TraderClient } from './trader.ts';

/**
 * Opens a lasting connection to the channels of a client's venue. It connects again at growing intervals, signs in with
 * the client's token and with a new one when that is refused, and resumes every channel without a gap or a duplicate.
 * Throws `TypeError` if the runtime has no WebSocket.
 *
 * @example
 * const opened = openChannels(venue, { onLost: ({ reason }) => console.error(reason.message) });
 * console.log((await opened.book(seriesId).right()).bids.length);
 * opened.close();
 */
export function openChannels(venue: TraderClient, options: ChannelsOptions = {}): Channels {
  const { transport, credentials, pin, options: given } = partsOfClient(venue);
  const webSocket = webSocketOf(given.webSocket);
  const { auth, account, market } = venue;
  return new Channels({ transport, credentials, pin, webSocket, auth, account, market }, options);
}
