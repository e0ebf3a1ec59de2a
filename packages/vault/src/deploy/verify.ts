/**
 * Checks that the code on chain is the vault of this repository, byte for byte, and whom it was built for (OWN-63). A
 * vault behind a gate is verified with its gate (CUS-15).
 */

import { parseAddress } from '@venue/protocol';
import {
  type Address,
  concat,
  domainSeparator,
  encodeDeployData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  pad,
  size,
  stringToHex,
} from 'viem';
import { chainAt } from '../chain/servers.ts';
import { venueVaultAbi } from '../contract/abi.ts';
import { readAddresses, type VaultAddresses } from '../contract/addresses.ts';
import { gateArtifact, vaultArtifact } from '../contract/artifact.ts';
import { type Check, codeCheck, compare, immutableChecks, isCodeOf } from '../contract/artifact-checks.ts';
import { Gate } from '../gate/gate.ts';
import { type Creation, deploymentCheck } from './creation.ts';
import { type DeployClient, openDeployClient } from './deploy-client.ts';
import { ANNOUNCED_CHECK, gateChecks, gateCreationChecks, pendingChecks } from './gate-checks.ts';

const NAME = 'Venue Vault';
const VERSION = '1';
const DECIMALS = 6;

export interface VerifyOptions {
  readonly rpcUrl: string;
  /** The vault's address, or the file that its deployment wrote, which is then also checked. */
  readonly target: VerifyTarget;
  /** Values that a person knows beforehand; a vault that differs fails the check. */
  readonly expected?: ExpectedVault;
  /** Receives one line for each check. */
  readonly log: (line: string) => void;
}

export type VerifyTarget =
  | { readonly file: string }
  | {
      readonly address: Address;
      /** The transaction that created the vault; without it nothing is known about the storage. */
      readonly txHash?: Hex;
    };

export type ExpectedVault = Partial<Roles> & { readonly chainId?: number };

export interface Verification {
  /** True if every check held. The first failed check ends the verification. */
  readonly holds: boolean;
  /** True if the initial storage was also checked, and held. */
  readonly isStorageVerified: boolean;
  readonly checks: readonly Check[];
}

interface Roles {
  readonly token: Address;
  readonly operator: Address;
  readonly failsafe: Address;
}

/**
 * Compares the code on chain with the committed artifact, and shows chain, token, operator and failsafe. For immutables every position is compared: a forged vault
 * could show the right operator in its getter and obey another. Given only an address, token, operator and failsafe
 * are read from the getters, and a person must recognize them; given a file, they are taken from it. The storage can
 * be checked only through the transaction that created the vault, which the file names and an address does not. With
 * it, a vault behind a gate does not hold while anything is announced that changes who may move its money.
 * Throws `VaultDeployError` if the chain or the file cannot be read.
 *
 *   const { holds } = await verifyVault({ rpcUrl, target: { file: 'vault.json' }, log: console.log });
 */
export async function verifyVault({
  rpcUrl,
  target,
  expected = {},
  log,
}: VerifyOptions): Promise<Verification> {
  const file = 'file' in target ? readAddresses(target.file) : undefined;
  const vault = 'file' in target ? file!.vault : target.address;
  const creation = 'file' in target ? file : creationOf(target.txHash);
  const client = await openDeployClient(rpcUrl);
  const checks: Check[] = [];
  for await (const check of vaultChecks(client, vault, { rpcUrl, file, creation, expected })) {
    checks.push(check);
    log(`${check.holds ? 'ok  ' : 'FAIL'} ${check.name}: ${check.found}`);
    if (!check.holds) break;
  }
  const holds = checks.every((check) => check.holds);
  const isStorageVerified = holds && creation !== undefined;
  log(verdict(checks, isStorageVerified));
  return { holds, isStorageVerified, checks };
}

function creationOf(txHash: Hex | undefined): Creation | undefined {
  return txHash === undefined ? undefined : { txHash, blockNumber: null };
}

function verdict(checks: readonly Check[], isStorageVerified: boolean): string {
  const failed = checks.find(({ holds }) => !holds);
  if (failed?.name === ANNOUNCED_CHECK)
    return (
      'NOT VERIFIED: the vault is that of this repository, and something is announced that changes who may move its ' +
      'money; verify again when that is carried out or vetoed'
    );
  if (failed !== undefined) return 'NOT VERIFIED: this is not the vault of this repository';
  if (isStorageVerified) return 'verified: code, immutables and creation';
  return (
    'NOT VERIFIED: the code is that of the artifact, the storage is not known: a vault made by other creation code ' +
    'may hide entitlements there; name the transaction that made it'
  );
}

interface Evidence {
  readonly rpcUrl: string;
  readonly file: VaultAddresses | undefined;
  readonly creation: Creation | undefined;
  readonly expected: ExpectedVault;
}

async function* vaultChecks(
  client: DeployClient,
  vault: Address,
  { rpcUrl, file, creation, expected }: Evidence,
): AsyncGenerator<Check> {
  yield compare('chain id', client.chainId, file?.chainId ?? client.chainId);
  if (expected.chainId !== undefined) yield compare('expected chain', client.chainId, expected.chainId);
  const code = await codeAt(client, vault);
  yield codeCheck('code', vault, code, vaultArtifact);
  if (file !== undefined) yield compare('code hash', keccak256(code), file.codeHash);
  const shown = await readRoles(client, vault);
  const roles = file ?? shown;
  yield* immutableChecks(code, vaultArtifact, expectedImmutables(roles, vault, client.chainId));
  for (const role of ['token', 'operator', 'failsafe'] as const) {
    yield roleCheck(`${role}()`, shown[role], roles[role]);
    const wanted = expected[role];
    if (wanted !== undefined) yield roleCheck(`expected ${role}`, shown[role], wanted);
  }
  yield await decimalsCheck(client, roles.token);
  const operatorCode = await codeAt(client, roles.operator);
  const isGate = file?.gate !== undefined || isCodeOf(operatorCode, gateArtifact);
  yield { name: 'the operator is', holds: true, found: kindOf(operatorCode, isGate) };
  const place = { vault, ...roles, code: operatorCode };
  if (isGate) yield* gateChecks(client, place, file?.gate);
  if (creation === undefined) return;
  if (!isGate) return yield* creationChecks(client, vault, roles, creation);
  yield* gateCreationChecks(client, place, creation, file?.gate);
  const gate = new Gate(chainAt([rpcUrl]), parseAddress(roles.operator)!);
  yield* pendingChecks(client, gate, creation.txHash);
}

async function codeAt({ chain, asked }: DeployClient, address: Address): Promise<Hex> {
  return (await asked('the code could not be read', chain.getCode({ address }))) ?? '0x';
}

function kindOf(code: Hex, isGate: boolean): string {
  if (isGate) return 'a gate, which is verified below';
  return code === '0x' ? 'an account with a key' : 'a contract that is no gate of this repository';
}

function roleCheck(name: string, found: Address, wanted: Address): Check {
  const holds = isAddressEqual(found, wanted);
  return { name, holds, found: holds ? found : `${found}, expected ${wanted}` };
}

/**
 * The values that the constructor leaves in the code, by the variable's name: the vault's own three, and
 * OpenZeppelin's for EIP-712.
 */
function expectedImmutables(roles: Roles, vault: Address, chainId: number): ReadonlyMap<string, Hex> {
  const domain = { name: NAME, version: VERSION, chainId, verifyingContract: vault };
  return new Map([
    ['token', pad(roles.token)],
    ['operator', pad(roles.operator)],
    ['failsafe', pad(roles.failsafe)],
    ['_cachedDomainSeparator', domainSeparator({ domain })],
    ['_cachedChainId', numberToHex(chainId, { size: 32 })],
    ['_cachedThis', pad(vault)],
    ['_hashedName', keccak256(stringToHex(NAME))],
    ['_hashedVersion', keccak256(stringToHex(VERSION))],
    ['_name', shortString(NAME)],
    ['_version', shortString(VERSION)],
  ]);
}

/** OpenZeppelin's form of a short text: its bytes from the left, their number in the last byte. */
function shortString(text: string): Hex {
  const bytes = stringToHex(text);
  return concat([pad(bytes, { dir: 'right', size: 31 }), numberToHex(size(bytes), { size: 1 })]);
}

async function readRoles({ chain, asked }: DeployClient, address: Address): Promise<Roles> {
  const read = (functionName: 'token' | 'operator' | 'failsafe') =>
    asked(
      `${functionName}() could not be read`,
      chain.readContract({ address, abi: venueVaultAbi, functionName }),
    );
  return { token: await read('token'), operator: await read('operator'), failsafe: await read('failsafe') };
}

async function decimalsCheck({ chain, asked }: DeployClient, address: Address): Promise<Check> {
  const call = { address, abi: erc20Abi, functionName: 'decimals' } as const;
  return compare(
    "token's decimals",
    await asked('the token could not be read', chain.readContract(call)),
    DECIMALS,
  );
}

/**
 * The code alone says nothing about the storage, which the creation code may have filled with hidden entitlements. So
 * the vault must be created by the artifact's creation code, directly in a transaction: another contract could create
 * the same code in other ways.
 */
async function* creationChecks(
  client: DeployClient,
  vault: Address,
  roles: Roles,
  creation: Creation,
): AsyncGenerator<Check> {
  yield await deploymentCheck(client, vault, creation);
  const { to, input } = await client.asked(
    'the deployment could not be read',
    client.chain.getTransaction({ hash: creation.txHash }),
  );
  yield initCodeCheck(to, input, roles);
}

function initCodeCheck(to: Address | null, input: Hex, { token, operator, failsafe }: Roles): Check {
  const name = 'creation code';
  const args = [token, operator, failsafe] as const;
  const expected = encodeDeployData({ abi: venueVaultAbi, bytecode: vaultArtifact.bytecode, args });
  if (to !== null) return { name, holds: false, found: `it was made through ${to}` };
  const holds = input.toLowerCase() === expected.toLowerCase();
  const found = holds
    ? `${size(input)} bytes equal the artifact and its arguments: nothing was left in the storage`
    : 'differs from the artifact and its arguments: it may have left anything in the storage';
  return { name, holds, found };
}
