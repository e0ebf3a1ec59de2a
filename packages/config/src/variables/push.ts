/** Variables of the process that tells devices whose tabs are closed. */

import { CONTACT, integer, PUSH_KEY, PUSH_SERVICES, text } from '../kinds.ts';
import { variable } from '../variable.ts';

export const PUSH = {
  VENUE_PUSH_KEY: variable(PUSH_KEY, {
    neededBy: ['push'],
    meaning:
      'the key that proves to push services who sends, as `venue push keys` makes it; with another key every device has to be turned on again',
    secret: true,
    code: 'PUSH-2',
  }),
  VENUE_PUSH_CONTACT: variable(CONTACT, {
    neededBy: ['push'],
    meaning: 'where a push service writes to if something is wrong with what it is sent',
  }),
  VENUE_PUSH_HOST: variable(text('an address of this machine'), {
    readBy: ['push'],
    meaning: 'the address it listens on',
    default: '127.0.0.1',
  }),
  VENUE_PUSH_PORT: variable(integer(0, 65_535), {
    readBy: ['push'],
    meaning: 'the port it listens on; 0 takes a free one',
    default: 8085,
  }),
  VENUE_PUSH_STATE: variable(text('a file'), {
    readBy: ['push'],
    meaning: 'the file in which it keeps devices, what it has yet to send, and how far it is',
    default: './data/push.db',
    code: 'PUSH-5',
  }),
  VENUE_PUSH_SERVICES: variable(PUSH_SERVICES, {
    readBy: ['push'],
    meaning:
      'the push services it sends to; one that is named as a host has to be on the internet, one that is named as an address may be anywhere',
    default: 'fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com',
    code: 'PUSH-4',
  }),
  VENUE_PUSH_AGE_MINUTES: variable(
    { ...integer(1, 1_440), unit: 'minutes' },
    {
      readBy: ['push'],
      meaning: 'how old news may be when it is first told, and how long a push service is tried',
      default: 10,
      code: 'PUSH-5',
    },
  ),
};
