/** Refusals of what stands around the nodes: the proxy in front of them, and the process that notifies devices. */

import { coded } from './refusal.ts';

/** Messages of the proxy; it writes them itself (`deploy/nginx`). */
export const EDGE_MESSAGES = coded({
  tooManyRequests: { status: 429, error: 'too many requests — retry' },
  addressTooLong: { status: 414, error: 'the address of the request is too long' },
  needsHttps: { status: 400, error: 'this port speaks https' },
  exchangeUnreachable: { status: 502, error: 'the exchange cannot be reached' },
  exchangeLate: { status: 504, error: 'the exchange did not answer in time' },
});

/** Messages of the process that sends web push (PUSH-3). */
export const PUSH_MESSAGES = coded({
  tooManyDevices: { status: 400, error: 'too many devices — turn one off' },
  noRoomForDevices: { status: 503, error: 'no room for more devices' },
  unknownPushService: {
    status: 400,
    error: 'this browser has a push service that the venue does not send to',
  },
  pushBodyTooLarge: { status: 413, error: 'body too large' },
  outOfTouch: { status: 503, error: 'out of touch with the log' },
});
