/** The answers that `venue init` needs: from its options, or from a person. */

import { readFileSync } from 'node:fs';
import { secretFileName, VARIABLES, type Variable, type VariableName, valueFault } from '@venue/config';
import { readAddresses, type VaultAddresses } from '@venue/vault';
import { CommandError, usageError } from '../base/command-error.ts';
import { ask, askSecret, askText, canAsk } from '../terminal/confirm.ts';
import { say } from '../terminal/output.ts';
import { askPeople, type Person, peopleOf } from './people.ts';
import { VAULT_FILE } from './places.ts';
import { flagOf, QUESTIONS, type Question } from './questions.ts';

/** The options of the command; those of the questions are named by their variables. */
export interface InitOptions {
  readonly root: string;
  readonly realMoney?: true;
  readonly name?: string;
  readonly vault?: string;
  readonly check?: true;
  /** NAME=ROLES of each. */
  readonly operator?: readonly string[];
  readonly [option: string]: string | true | readonly string[] | undefined;
}

export interface Answers {
  readonly isRealMoney: boolean;
  /** The name under which clients reach the venue. */
  readonly name: string;
  /** Texts of declared variables, each valid; secrets among them. */
  readonly values: ReadonlyMap<VariableName, string>;
  /** The vault, and the file that its deployment wrote; null with paper money. */
  readonly vault: { readonly addresses: VaultAddresses; readonly file: string } | null;
  /** Operators with names; empty with paper money, and where two people settle with secrets that have none (OPS-2). */
  readonly people: readonly Person[];
}

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

/** Gathers all answers before anything is written. Throws `CommandError` for one that is missing or invalid. */
export async function answersOf(options: InitOptions): Promise<Answers> {
  const isRealMoney = options.realMoney ?? (canAsk() && (await ask('Does the venue hold real money?')));
  refuseStrangers(options, isRealMoney);
  const name = await nameOf(options);
  const vault = isRealMoney ? await vaultOf(options) : null;
  const values = new Map<VariableName, string>(vault && vaultValues(vault.addresses));
  const people = isRealMoney ? await whoOperates(options) : [];
  const namesSettle = people.some(({ roles }) => roles.includes('settle'));
  for (const question of QUESTIONS) {
    if (question.isOfRealMoney && !isRealMoney) continue;
    if (question.isOfSettlement && namesSettle) continue;
    const text = givenTo(question, options) ?? (await askedFor(question, values));
    if (text !== '') values.set(question.variable, valid(question, text));
  }
  if (isRealMoney && values.get('VENUE_FEED_SOURCE') === 'simulated')
    throw usageError('real money takes no simulated prices: --feed-source is crypto, pyth or crypto,pyth');
  return { isRealMoney, name, values, vault, people };
}

/** People with names, unless two others have made the secrets of settlement. */
async function whoOperates({ operator, settleHash1, settleHash2 }: InitOptions): Promise<readonly Person[]> {
  const settlesBySecret = settleHash1 !== undefined || settleHash2 !== undefined;
  if (operator !== undefined) return peopleOf(operator, { settlesBySecret });
  return settlesBySecret ? [] : askPeople();
}

/** An answer that would be written nowhere was given by mistake. */
function refuseStrangers(options: InitOptions, isRealMoney: boolean): void {
  if (isRealMoney) return;
  const flags = ['--vault', '--operator', ...QUESTIONS.filter((one) => one.isOfRealMoney).map(flagOf)];
  const given = flags.find((flag) => options[optionKey(flag)] !== undefined);
  if (given !== undefined) throw usageError(`${given} goes with --real-money`);
}

async function nameOf({ name: given }: InitOptions): Promise<string> {
  const name = given ?? (await asked('--name', 'The name of the venue, such as venue.example.com: '));
  if (HOST.test(name)) return name.toLowerCase();
  throw usageError(`--name must be a name like venue.example.com, not ${JSON.stringify(name)}`);
}

async function vaultOf({ vault: given }: InitOptions): Promise<NonNullable<Answers['vault']>> {
  const path = given ?? (await asked('--vault', 'The file that venue vault deploy wrote: '));
  return { addresses: readAddresses(path), file: readText(path) };
}

/** The chain and the vault by the file of the deployment, so that nobody types an address. */
function vaultValues({ chainId, vault, token, blockNumber }: VaultAddresses): [VariableName, string][] {
  return [
    ['VENUE_CHAIN_ID', String(chainId)],
    ['VENUE_VAULT_ADDRESS', vault],
    ['VENUE_TOKEN_ADDRESS', token],
    ['VENUE_VAULT_FROM_BLOCK', String(blockNumber)],
    ['VENUE_VAULT_DEPLOYMENT', VAULT_FILE],
    ['VENUE_TERMINAL_VAULT', VAULT_FILE],
  ];
}

/** The answer by an option, which names a secret's file; undefined without the option. */
function givenTo(question: Question, options: InitOptions): string | undefined {
  const { secret }: Variable = VARIABLES[question.variable];
  const given = options[optionKey(flagOf(question))];
  if (typeof given !== 'string') return undefined;
  return secret ? readText(given).replace(/\r?\n$/, '') : given;
}

/** The answer of a person, who is asked until it is one; empty if there is nobody, or nothing to ask. */
async function askedFor(question: Question, values: ReadonlyMap<VariableName, string>): Promise<string> {
  const { variable, empty, isOpen = () => true } = question;
  if (!isOpen(values) || (empty !== undefined && !canAsk())) return '';
  if (!canAsk()) throw missing(flagOf(question));
  const { secret }: Variable = VARIABLES[variable];
  for (;;) {
    const text = await (secret ? askSecret : askText)(promptOf(question));
    if (text === '' && empty !== undefined) return '';
    const fault = valueFault(variable, text);
    if (fault === null) return text;
    say(`it ${fault}`);
  }
}

function promptOf({ variable, empty }: Question): string {
  const { meaning, kind, secret }: Variable = VARIABLES[variable];
  const hints = [kind.allowed, ...(secret ? ['not shown'] : []), ...(empty ? [`empty: ${empty}`] : [])];
  return `${secretFileName(variable)}: ${meaning} (${hints.join('; ')})\n> `;
}

async function asked(flag: string, question: string): Promise<string> {
  if (canAsk()) return askText(question);
  throw missing(flag);
}

function missing(flag: string): CommandError {
  return usageError(`nobody is here to ask: give ${flag}`);
}

/** A fault never quotes a secret, as its kind does not. */
function valid(question: Question, text: string): string {
  const fault = valueFault(question.variable, text);
  if (fault === null) return text;
  throw usageError(`${flagOf(question)} ${fault}`);
}

/** The key that the parser gives a flag's value. */
function optionKey(flag: string): string {
  return flag.slice(2).replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read by this user (${(error as NodeJS.ErrnoException).code})`);
  }
}
