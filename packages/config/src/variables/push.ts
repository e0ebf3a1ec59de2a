/** Variables of the process that tells devices whose tabs are closed. */

import { CONTACT, integer, PUSH_KEY, PUSH_SERVICES, text } from '../kinds.ts';
import { variable } from '../variable.ts';

export const PUSH = {
  VENUE_PUSH_KEY: variable(PUSH_KEY, {
    neededBy: ['push'],
    meaning:
      'the key that identifies the sender to push services, from `venue push keys`; a new one disconnects every device',
    secret: true,
    code: 'PUSH-2',
  }),
  VENUE_PUSH_CONTACT: variable(CONTACT, {
    neededBy: ['push'],
    meaning: 'the contact for push services',
  }),
  VENUE_PUSH_HOST: variable(text('an address of this machine'), {
    readBy: ['push'],
    meaning: 'the address it listens on',
    default: '127.0.0.1',
  }),
  VENUE_PUSH_PORT: variable(integer(0, 65_535), {
    readBy: ['push'],
    meaning: 'the port it listens on; 0 for a free one',
    default: 8085,
  }),
  VENUE_PUSH_STATE: variable(text('a file'), {
    readBy: ['push'],
    meaning: 'the file of devices, unsent messages and progress',
    default: './data/push.db',
    code: 'PUSH-5',
  }),
  VENUE_PUSH_SERVICES: variable(PUSH_SERVICES, {
    readBy: ['push'],
    meaning: 'the push services it sends to; a host name must be on the internet, an address may be anywhere',
    default: 'fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com',
    code: 'PUSH-4',
  }),
  VENUE_PUSH_AGE_MINUTES: variable(
    { ...integer(1, 1_440), unit: 'minutes' },
    {
      readBy: ['push'],
      meaning: 'how old news may be when first sent, and how long sending is retried',
      default: 10,
      code: 'PUSH-5',
    },
  ),
};
