/** The steps that people take after `venue init`, as lines to read and to type. */

import type { Answers } from './answers.ts';
import { HANDOVER, MONEY_PROCESSES, PAPER_PROCESSES, SECRETS, SETTINGS } from './places.ts';
import { isOnPostgres } from './questions.ts';

const BIND = 'venue operator bind --file vault.json --funder "$FUNDER"';
const ELSEWHERE = 'on a machine of their own (ssh -L 8080:127.0.0.1:8080 leads to the exchange)';
const PAGE = 'docs/how-to/deploy.md';
/** Everything else that a venue may run, which nothing here sets up (CFG-7). */
const NOT_SET_UP = [
  ['back-up.md', 'a backup every night, which is proven and restored on trial'],
  ['operate.md', 'alerts and dashboards: deploy/prometheus, deploy/grafana'],
  ['fail-over.md', 'a log that outlives its machine, on three PostgreSQL servers'],
  ['add-followers.md', 'more readers and streams than the exchange should serve'],
  ['run-push.md', 'fills and margin calls on devices with no tab open'],
] as const;
const NOT_SET_UP_WITH_MONEY = [
  ['contract-wallets.md', 'sessions of Safes and 4337 accounts: the attestor'],
  ['run-custody.md', 'a gate before the vault, with guardians and a checker'],
] as const;

const PAGE_WIDTH = Math.max(...NOT_SET_UP_WITH_MONEY.map(([page]) => page.length));

export function nextSteps(answers: Answers): string[] {
  const { isRealMoney, vault } = answers;
  return [
    '',
    'Next, on this machine, as root:',
    '  systemd-sysusers && systemctl daemon-reload',
    ...logStep(answers),
    `  systemctl enable --now ${unitsOf(answers).join(' ')}`,
    `  a certificate for ${answers.name}, and nginx: ${PAGE}`,
    '  venue init --check',
    ...(isRealMoney ? [...keyStep(answers), ...twoPeople(answers)] : []),
    ...(vault?.addresses.gate === undefined
      ? []
      : ['', `Next, other people, on another machine: the checker of the gate (${PAGE})`]),
    ...notSetUp(answers),
  ];
}

function notSetUp({ isRealMoney }: Answers): string[] {
  const pages = [...NOT_SET_UP, ...(isRealMoney ? NOT_SET_UP_WITH_MONEY : [])];
  return [
    '',
    'Not set up, each with a page in docs/how-to (deploy.md has everything in containers instead):',
    ...pages.map(([page, what]) => `  ${page.padEnd(PAGE_WIDTH)} ${what}`),
  ];
}

function unitsOf({ isRealMoney, values }: Answers): string[] {
  const all: readonly string[] = isRealMoney ? MONEY_PROCESSES : PAPER_PROCESSES;
  const isReady = (name: string) => name !== 'batcher' || values.has('VENUE_VAULT_OPERATOR_KEY');
  return all.filter(isReady).map((name) => `venue-${name}`);
}

/** The unit of the exchange reaches this machine alone. */
function logStep({ values }: Answers): string[] {
  if (!isOnPostgres(values)) return [];
  return [
    '  if PostgreSQL is elsewhere: systemctl edit venue-exchange, and add IPAddressAllow=ADDRESS to [Service]',
  ];
}

function keyStep({ values }: Answers): string[] {
  if (values.has('VENUE_VAULT_OPERATOR_KEY')) return [];
  return [
    `  the key of the vault's operator, or of a proposer of its gate, into ${SECRETS}/vault-operator-key (0600);`,
    '  then systemctl enable --now venue-batcher',
  ];
}

/** Who settles what the oracle refuses, and binds the ledger to the vault: two people, never one (CUS-10). */
function twoPeople({ values, people }: Answers): string[] {
  const capital =
    '  $FUNDER is the wallet that pays the capital of the market maker into the vault: it quotes nothing without';
  if (people.length > 0)
    return [...handovers(people), `  ${BIND}  # the second of two binds the ledger to the vault`, capital];
  const haveHashes = values.has('VENUE_SETTLE_HASH_1') && values.has('VENUE_SETTLE_HASH_2');
  const secrets = [
    '  (umask 077; openssl rand -hex 32 > ~/settle-token)',
    '  venue operator settle-hash ~/settle-token',
    `  and hands over the hash, which goes into ${SETTINGS}/exchange.env as VENUE_SETTLE_HASH_1 or _2`,
  ];
  return [
    '',
    `Next, two people, each ${ELSEWHERE}:`,
    ...(haveHashes ? [] : secrets),
    `  VENUE_SETTLE_TOKEN_1_FILE=~/settle-token ${BIND}  # the first`,
    `  VENUE_SETTLE_TOKEN_2_FILE=~/settle-token ${BIND}  # the second, which binds the ledger to the vault`,
    capital,
  ];
}

/** The steps of each operator with the secret that waits for them (OPS-2). */
function handovers(people: Answers['people']): string[] {
  return [
    '',
    `Next, each operator, ${ELSEWHERE}:`,
    ...people.map(
      ({ name, roles }) =>
        `  ${name} (${roles.join(',')}) takes ${HANDOVER}/${name} away, and it is removed here: the exchange has its hash`,
    ),
    '  export VENUE_OPERATOR_TOKEN_FILE=FILE     for "venue operator"; or type it into the operators\' page',
  ];
}
