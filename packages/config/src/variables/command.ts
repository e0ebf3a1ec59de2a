/** Variables read by every client of an exchange, and variables of the command. */

import { hiddenText, oneOf, text, VENUE_URL } from '../kinds.ts';
import { variable } from '../variable.ts';

export const COMMAND = {
  VENUE_URL: variable(VENUE_URL, {
    readBy: ['feed', 'maker', 'crowd', 'watcher', 'batcher', 'attestor', 'reserves', 'venue'],
    meaning: 'the address of the exchange',
    default: 'http://127.0.0.1:8080',
  }),
  VENUE_READ_URL: variable(VENUE_URL, {
    readBy: ['venue'],
    meaning: 'the address of followers for commands that only read (ignored with `--url`)',
    absent: '`VENUE_URL`',
    code: 'FOL-5',
  }),
  VENUE_HOME: variable(text('a folder'), {
    readBy: ['profile'],
    meaning: 'the folder of wallets and sessions',
    absent: '`venue` in `XDG_CONFIG_HOME`, or `~/.config/venue`',
  }),
  VENUE_PROFILE: variable(text('a name'), {
    readBy: ['profile'],
    meaning: 'the profile of wallet and session',
    absent: '`default`',
  }),
  VENUE_WALLET_PASSWORD: variable(hiddenText('any text'), {
    readBy: ['wallet'],
    meaning: 'the password of an encrypted wallet',
    absent: 'asked for',
    secret: true,
  }),
  VENUE_TEST_REQUIRE: variable(oneOf('all'), {
    readBy: ['tests'],
    meaning: 'how strict tests are: `all` fails a test that lacks a Debian package',
    absent: 'it is skipped',
  }),
};
