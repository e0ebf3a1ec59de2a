/** Every `VENUE_` variable that a process, the command or the tests read (CFG-1). */

import { CHAIN } from './variables/chain.ts';
import { COMMAND } from './variables/command.ts';
import { CROWD } from './variables/crowd.ts';
import { EXCHANGE } from './variables/exchange.ts';
import { FEED } from './variables/feed.ts';
import { MAKER } from './variables/maker.ts';
import { PUSH } from './variables/push.ts';
import { RULES } from './variables/rules.ts';
import { SECRETS } from './variables/secrets.ts';
import { TELEMETRY } from './variables/telemetry.ts';

/** In the order of docs/reference/environment.md, where the titles are headings. */
export const GROUPS = {
  Clients: COMMAND,
  Exchange: EXCHANGE,
  'Rules of the market': RULES,
  Secrets: SECRETS,
  Feed: FEED,
  Maker: MAKER,
  Crowd: CROWD,
  'Chain and vault': CHAIN,
  'Web push': PUSH,
  'Metrics and traces': TELEMETRY,
} as const;

export const VARIABLES = {
  ...COMMAND,
  ...EXCHANGE,
  ...RULES,
  ...SECRETS,
  ...FEED,
  ...MAKER,
  ...CROWD,
  ...CHAIN,
  ...PUSH,
  ...TELEMETRY,
};

export type VariableName = keyof typeof VARIABLES;
