/** The terms that a gate is built with (CUS-15). */

import {
  type Address,
  encodeDeployData,
  getAddress,
  getContractAddress,
  type Hex,
  isAddress,
  isAddressEqual,
  zeroAddress,
} from 'viem';
import { operatorGateAbi } from './abi.ts';
import { gateArtifact } from './artifact.ts';
import { VaultDeployError } from './deploy-error.ts';

/** The terms of a gate beside its token. Amounts in micros, times in seconds. */
export interface GateTerms {
  /** Rotates proposers and guardians. */
  readonly cold: Address;
  /** Owner of the failsafe. */
  readonly sweeper: Address;
  /** In ascending order, as the guardians are. */
  readonly proposers: readonly Address[];
  readonly guardians: readonly Address[];
  /** The number of guardians whose votes are a veto. */
  readonly vetoes: number;
  /** The amount that may be committed without delay in one epoch. */
  readonly freeMaxMicros: number;
  /** The amount that may be committed in one epoch at all. */
  readonly capMaxMicros: number;
  readonly epochSeconds: number;
  readonly shortDelaySeconds: number;
  readonly longDelaySeconds: number;
  readonly changeDelaySeconds: number;
  readonly sweepDelaySeconds: number;
}

/** The terms as a person gives them: addresses as text, in any order. The failsafe's owner is named apart. */
export type GateRequest = Omit<GateTerms, 'cold' | 'sweeper' | 'proposers' | 'guardians'> & {
  readonly cold: string;
  readonly proposers: readonly string[];
  readonly guardians: readonly string[];
};

const TIME_TERMS = [
  'epochSeconds',
  'shortDelaySeconds',
  'longDelaySeconds',
  'changeDelaySeconds',
  'sweepDelaySeconds',
] as const;

const MEMBERS_MAX = 32;
const DELAY_SECONDS_MAX = 60 * 86_400;

/** An address with its checksum; throws `VaultDeployError`, which names the role. */
export function roleAddress(role: string, text: string): Address {
  if (!isAddress(text)) throw new VaultDeployError(`${role} ${text} is no address, or its checksum is wrong`);
  if (isAddressEqual(text, zeroAddress))
    throw new VaultDeployError(`${role} is the zero address: name a real one`);
  return getAddress(text);
}

/**
 * Checks everything that the gate's constructor would refuse, and that nobody is on both sides: one key as proposer and
 * as guardian would watch over itself. Throws `VaultDeployError`.
 */
export function gateTermsOf(request: GateRequest, sweeper: Address): GateTerms {
  const terms = {
    ...request,
    sweeper,
    cold: roleAddress('cold', request.cold),
    proposers: membersOf('proposer', request.proposers),
    guardians: membersOf('guardian', request.guardians),
  };
  const { cold, proposers, guardians } = terms;
  const sides = [...proposers, ...guardians, ...new Set([cold, sweeper])];
  if (new Set(sides).size < sides.length)
    throw new VaultDeployError(
      'proposers, guardians, cold and failsafe must be different: nobody watches itself',
    );
  refuseVetoes(terms);
  refuseAmounts(terms);
  refuseTimes(terms);
  return terms;
}

function membersOf(role: string, texts: readonly string[]): readonly Address[] {
  if (texts.length === 0 || texts.length > MEMBERS_MAX)
    throw new VaultDeployError(`there must be from 1 to ${MEMBERS_MAX} ${role}s, not ${texts.length}`);
  return texts
    .map((text) => roleAddress(role, text))
    .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

function refuseVetoes({ vetoes, guardians }: GateTerms): void {
  const most = Math.floor((guardians.length + 1) / 2);
  if (!Number.isSafeInteger(vetoes) || vetoes < 1 || vetoes > most)
    throw new VaultDeployError(
      `a veto of ${guardians.length} guardians takes from 1 to ${most} votes, not ${vetoes}`,
    );
}

function refuseAmounts({ freeMaxMicros, capMaxMicros }: GateTerms): void {
  for (const amount of [freeMaxMicros, capMaxMicros])
    if (!Number.isSafeInteger(amount) || amount < 0)
      throw new VaultDeployError(`${amount} is no amount of micros`);
  if (capMaxMicros === 0) throw new VaultDeployError('a cap of zero would let nothing through');
  if (freeMaxMicros > capMaxMicros)
    throw new VaultDeployError('what may be committed without delay is above the cap of the epoch');
}

function refuseTimes(terms: GateTerms): void {
  const { epochSeconds, shortDelaySeconds, longDelaySeconds, changeDelaySeconds, sweepDelaySeconds } = terms;
  for (const name of TIME_TERMS) {
    const seconds = terms[name];
    if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > DELAY_SECONDS_MAX)
      throw new VaultDeployError(`${name} must be from 1 to ${DELAY_SECONDS_MAX}, not ${seconds}`);
  }
  if (shortDelaySeconds >= longDelaySeconds)
    throw new VaultDeployError('the short delay must be shorter than the long one');
  if (epochSeconds < longDelaySeconds)
    throw new VaultDeployError('the epoch must not be shorter than the long delay');
  if (Math.min(changeDelaySeconds, sweepDelaySeconds) <= longDelaySeconds)
    throw new VaultDeployError('changes and sweeps must take longer than the long delay');
}

/** The data of a transaction without recipient that makes the gate, its failsafe and its vault. */
export function gateCreation(token: Address, terms: GateTerms): Hex {
  const args = [
    {
      token,
      cold: terms.cold,
      sweeper: terms.sweeper,
      proposers: terms.proposers,
      guardians: terms.guardians,
      vetoes: BigInt(terms.vetoes),
      freeMax: BigInt(terms.freeMaxMicros),
      capMax: BigInt(terms.capMaxMicros),
      epoch: terms.epochSeconds,
      shortDelay: terms.shortDelaySeconds,
      longDelay: terms.longDelaySeconds,
      changeDelay: terms.changeDelaySeconds,
      sweepDelay: terms.sweepDelaySeconds,
    },
  ] as const;
  return encodeDeployData({ abi: operatorGateAbi, bytecode: gateArtifact.bytecode, args });
}

/** The contracts that a gate makes: the failsafe first, the vault second. */
export function madeBy(gate: Address): { readonly failsafe: Address; readonly vault: Address } {
  return {
    failsafe: getContractAddress({ from: gate, nonce: 1n }),
    vault: getContractAddress({ from: gate, nonce: 2n }),
  };
}
