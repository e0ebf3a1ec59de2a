/** Checks that a vault's operator is the gate of this repository, byte for byte, and what it was built with (CUS-15). */

import {
  type Address,
  decodeDeployData,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  size,
  stringToHex,
} from 'viem';
import { operatorGateAbi } from '../contract/abi.ts';
import type { GateAddresses } from '../contract/addresses.ts';
import { gateArtifact } from '../contract/artifact.ts';
import { type Check, codeCheck, compare, immutableChecks } from '../contract/artifact-checks.ts';
import { type GateTerms, gateCreation, madeBy } from '../contract/gate-terms.ts';
import { Announcements, announcedText } from '../gate/announced.ts';
import type { Gate } from '../gate/gate.ts';
import { type Creation, deploymentCheck } from './creation.ts';
import type { DeployClient } from './deploy-client.ts';

/** A vault and the gate in front of it; `code` is the gate's. */
export interface GatePlace {
  readonly vault: Address;
  readonly token: Address;
  readonly operator: Address;
  readonly failsafe: Address;
  readonly code: Hex;
}

/** The failsafe's, which is OpenZeppelin's TimelockController. */
const ROLES = parseAbi(['function hasRole(bytes32 role, address account) view returns (bool)']);
const CANCELLER = keccak256(stringToHex('CANCELLER_ROLE'));
/** The name of the check that fails while something is announced, though all that was built is right. */
export const ANNOUNCED_CHECK = 'announced';

/** The terms that stand in the gate's code. */
type FixedTerms = Omit<GateTerms, 'proposers' | 'guardians' | 'vetoes'>;

/**
 * Compares the gate's code and every place of its immutables with the file, or else with what its getters show. Who
 * proposes and who vetoes may have changed since, so both are shown and not compared.
 */
export async function* gateChecks(
  client: DeployClient,
  place: GatePlace,
  file: GateAddresses | undefined,
): AsyncGenerator<Check> {
  yield codeCheck('gate code', place.operator, place.code, gateArtifact);
  if (file !== undefined) yield compare('gate code hash', keccak256(place.code), file.codeHash);
  const made = madeBy(place.operator);
  yield madeCheck("gate's vault", place.vault, made.vault);
  yield madeCheck("gate's failsafe", place.failsafe, made.failsafe);
  const terms = file ?? (await fixedTerms(client, place.operator));
  yield* immutableChecks(place.code, gateArtifact, expectedImmutables(place, terms));
  yield* shownTerms(terms);
  yield* membersNow(client, place.operator, file);
}

function madeCheck(name: string, found: Address, made: Address): Check {
  const holds = isAddressEqual(found, made);
  return { name, holds, found: holds ? found : `${found}, the gate made ${made}` };
}

function expectedImmutables(
  { vault, token, failsafe }: GatePlace,
  terms: FixedTerms,
): ReadonlyMap<string, Hex> {
  const word = (value: number) => numberToHex(value, { size: 32 });
  return new Map([
    ['vault', pad(vault)],
    ['failsafe', pad(failsafe)],
    ['token', pad(token)],
    ['cold', pad(terms.cold)],
    ['sweeper', pad(terms.sweeper)],
    ['freeMax', word(terms.freeMaxMicros)],
    ['capMax', word(terms.capMaxMicros)],
    ['epoch', word(terms.epochSeconds)],
    ['shortDelay', word(terms.shortDelaySeconds)],
    ['longDelay', word(terms.longDelaySeconds)],
    ['changeDelay', word(terms.changeDelaySeconds)],
    ['sweepDelay', word(terms.sweepDelaySeconds)],
  ]);
}

function* shownTerms(terms: FixedTerms): Generator<Check> {
  const { cold, sweeper, freeMaxMicros, capMaxMicros, epochSeconds } = terms;
  const { shortDelaySeconds, longDelaySeconds, changeDelaySeconds, sweepDelaySeconds } = terms;
  yield shown('gate cold key', cold);
  yield shown("failsafe's owner", `${sweeper}, after ${sweepDelaySeconds} s`);
  yield shown('gate amounts', `${freeMaxMicros} at once, ${capMaxMicros} in all, per ${epochSeconds} s`);
  yield shown(
    'gate delays',
    `${shortDelaySeconds} s, ${longDelaySeconds} s, changes ${changeDelaySeconds} s`,
  );
}

function shown(name: string, found: string): Check {
  return { name, holds: true, found };
}

async function* membersNow(
  { chain, asked }: DeployClient,
  address: Address,
  file: GateAddresses | undefined,
): AsyncGenerator<Check> {
  const gate = { address, abi: operatorGateAbi } as const;
  const read = <T>(answer: Promise<T>) => asked('the gate could not be read', answer);
  const proposers = await read(chain.readContract({ ...gate, functionName: 'proposers' }));
  const guardians = await read(chain.readContract({ ...gate, functionName: 'guardians' }));
  const vetoes = await read(chain.readContract({ ...gate, functionName: 'vetoes' }));
  yield shown('gate proposers', listed(proposers, file?.proposers));
  yield shown('gate guardians', `${vetoes} of ${listed(guardians, file?.guardians)}`);
}

function listed(now: readonly Address[], then: readonly Address[] | undefined): string {
  const same = then === undefined || [...now].sort().join() === [...then].sort().join();
  return same ? now.join(', ') : `${now.join(', ')}; changed since the deployment`;
}

async function fixedTerms({ chain, asked }: DeployClient, address: Address): Promise<FixedTerms> {
  const gate = { address, abi: operatorGateAbi } as const;
  const read = <T>(answer: Promise<T>) => asked('the gate could not be read', answer);
  const amount = async (
    functionName: 'freeMax' | 'capMax' | 'epoch' | 'shortDelay' | 'longDelay' | 'changeDelay' | 'sweepDelay',
  ) => Number(await read(chain.readContract({ ...gate, functionName })));
  return {
    cold: await read(chain.readContract({ ...gate, functionName: 'cold' })),
    sweeper: await read(chain.readContract({ ...gate, functionName: 'sweeper' })),
    freeMaxMicros: await amount('freeMax'),
    capMaxMicros: await amount('capMax'),
    epochSeconds: await amount('epoch'),
    shortDelaySeconds: await amount('shortDelay'),
    longDelaySeconds: await amount('longDelay'),
    changeDelaySeconds: await amount('changeDelay'),
    sweepDelaySeconds: await amount('sweepDelay'),
  };
}

/**
 * The gate must be created by the artifact's creation code, directly in a transaction. That code makes failsafe and
 * vault, so nothing was left in the storage of any of the three.
 */
export async function* gateCreationChecks(
  client: DeployClient,
  { operator, token }: GatePlace,
  creation: Creation,
  file: GateAddresses | undefined,
): AsyncGenerator<Check> {
  yield await deploymentCheck(client, operator, creation);
  const { to, input } = await client.asked(
    'the deployment could not be read',
    client.chain.getTransaction({ hash: creation.txHash }),
  );
  if (to !== null) return yield { name: 'creation code', holds: false, found: `it was made through ${to}` };
  const expected = file === undefined ? null : gateCreation(token, file);
  const holds = expected === null ? isGateCreation(input) : input.toLowerCase() === expected.toLowerCase();
  const found = holds
    ? `${size(input)} bytes equal the artifact and its arguments: they made vault and failsafe, and left nothing else`
    : 'differs from the artifact and its arguments: it may have left anything in the storage';
  yield { name: 'creation code', holds, found };
}

/** True if it is the artifact's creation code with nothing but arguments behind it. */
function isGateCreation(input: Hex): boolean {
  if (!input.toLowerCase().startsWith(gateArtifact.bytecode.toLowerCase())) return false;
  try {
    decodeDeployData({ abi: operatorGateAbi, bytecode: gateArtifact.bytecode, data: input });
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that guardians can still veto a sweep, which is in the failsafe's storage, and that nothing waits that would
 * change who may move the money. `txHash` is the transaction that made the gate.
 */
export async function* pendingChecks(client: DeployClient, gate: Gate, txHash: Hex): AsyncGenerator<Check> {
  const receipt = client.chain.getTransactionReceipt({ hash: txHash });
  const { blockNumber } = await client.asked('the deployment could not be read', receipt);
  yield await client.asked('the failsafe could not be read', vetoCheck(client, gate));
  yield await client.asked('what is announced could not be read', announcedCheck(gate, Number(blockNumber)));
}

async function vetoCheck({ chain }: DeployClient, gate: Gate): Promise<Check> {
  const call = { abi: ROLES, functionName: 'hasRole', args: [CANCELLER, gate.address] } as const;
  const holds = await chain.readContract({ address: await gate.failsafe(), ...call });
  const found = holds ? 'guardians can' : 'nobody can: its owner took that from the gate';
  return { name: 'veto a sweep', holds, found };
}

async function announcedCheck(gate: Gate, fromBlock: number): Promise<Check> {
  const pending = await new Announcements({ gate, fromBlock }).pending(await gate.chain.head());
  const texts = pending.map((one) => announcedText(one));
  const holds = pending.length === 0;
  return { name: ANNOUNCED_CHECK, holds, found: holds ? 'nothing' : texts.join('; ') };
}
