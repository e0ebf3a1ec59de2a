/** Checks that the code on chain is the vault of this repository, byte for byte, and whom it was built for (OWN-63). */

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
  slice,
  stringToHex,
} from 'viem';
import { venueVaultAbi } from './abi.ts';
import { readAddresses, type VaultAddresses } from './addresses.ts';
import { type Artifact, type CodeReference, vaultArtifact } from './artifact.ts';
import { type DeployClient, openDeployClient } from './deploy-client.ts';

const NAME = 'Venue Vault';
const VERSION = '1';
const DECIMALS = 6;

export interface VerifyOptions {
  readonly rpcUrl: string;
  /** The vault's address, or the file that its deployment wrote, which is then also checked. */
  readonly target: VerifyTarget;
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

export interface Verification {
  /** Whether every check held. The first failed check ends the verification. */
  readonly holds: boolean;
  /** Whether the initial storage was also checked, and held. */
  readonly isStorageVerified: boolean;
  readonly checks: readonly Check[];
}

export interface Check {
  readonly name: string;
  readonly holds: boolean;
  /** The value found, and the expected value if it differs. */
  readonly found: string;
}

interface Roles {
  readonly token: Address;
  readonly operator: Address;
  readonly failsafe: Address;
}

/**
 * Compares the code on chain with the committed artifact. For immutables every position is compared: a forged vault
 * could show the right operator in its getter and obey another. Given only an address, token, operator and failsafe
 * are read from the getters, and a person must recognize them; given a file, they are taken from it. The storage can
 * be checked only through the transaction that created the vault, which the file names and an address does not.
 * Throws `VaultDeployError` if the chain or the file cannot be read.
 *
 *   const { holds } = await verifyVault({ rpcUrl, target: { file: 'vault.json' }, log: console.log });
 */
export async function verifyVault({ rpcUrl, target, log }: VerifyOptions): Promise<Verification> {
  const file = 'file' in target ? readAddresses(target.file) : undefined;
  const vault = 'file' in target ? file!.vault : target.address;
  const creation = 'file' in target ? file : creationOf(target.txHash);
  const client = await openDeployClient(rpcUrl);
  const checks: Check[] = [];
  for await (const check of vaultChecks(client, vault, { file, creation })) {
    checks.push(check);
    log(`${check.holds ? 'ok  ' : 'FAIL'} ${check.name}: ${check.found}`);
    if (!check.holds) break;
  }
  const holds = checks.every((check) => check.holds);
  const isStorageVerified = holds && creation !== undefined;
  log(verdict(holds, isStorageVerified));
  return { holds, isStorageVerified, checks };
}

function creationOf(txHash: Hex | undefined): Creation | undefined {
  return txHash === undefined ? undefined : { txHash, blockNumber: null };
}

function verdict(holds: boolean, isStorageVerified: boolean): string {
  if (!holds) return 'NOT VERIFIED: this is not the vault of this repository';
  if (isStorageVerified) return 'verified: code, immutables and creation';
  return (
    'NOT VERIFIED: the code is that of the artifact, the storage is not known: a vault made by other creation code ' +
    'may hide entitlements there; name the transaction that made it'
  );
}

async function* vaultChecks(
  client: DeployClient,
  vault: Address,
  { file, creation }: { file: VaultAddresses | undefined; creation: Creation | undefined },
): AsyncGenerator<Check> {
  if (file !== undefined) yield compare('chain id', client.chainId, file.chainId);
  const code =
    (await client.asked('the code could not be read', client.chain.getCode({ address: vault }))) ?? '0x';
  yield codeCheck(vault, code);
  if (file !== undefined) yield compare('code hash', keccak256(code), file.codeHash);
  const shown = await readRoles(client, vault);
  const roles = file ?? shown;
  const immutables = expectedImmutables(roles, vault, client.chainId);
  for (const [name, places] of Object.entries(vaultArtifact.immutableReferences))
    yield immutableCheck(name, valuesAt(code, places), immutables.get(name));
  for (const role of ['token', 'operator', 'failsafe'] as const)
    yield { name: `${role}()`, holds: isAddressEqual(shown[role], roles[role]), found: shown[role] };
  yield await decimalsCheck(client, roles.token);
  if (creation !== undefined) yield* creationChecks(client, vault, roles, creation);
}

function codeCheck(vault: Address, code: Hex): Check {
  const name = 'code';
  if (code === '0x') return { name, holds: false, found: `there is none at ${vault}` };
  const { compiler, deployedBytecode } = vaultArtifact;
  const version = compiler.version.split('+')[0];
  if (size(code) !== size(deployedBytecode))
    return { name, holds: false, found: `${size(code)} bytes, the artifact has ${size(deployedBytecode)}` };
  const holds = masked(code, vaultArtifact) === masked(deployedBytecode, vaultArtifact);
  const found = holds
    ? `${size(code)} bytes equal the artifact of solc ${version}`
    : 'differs from the artifact';
  return { name, holds, found };
}

/** The code with zeros in place of immutables. */
function masked(code: Hex, { immutableReferences }: Artifact): string {
  const digits = code.slice(2).toLowerCase().split('');
  for (const { start, length } of Object.values(immutableReferences).flat())
    digits.fill('0', start * 2, (start + length) * 2);
  return digits.join('');
}

function valuesAt(code: Hex, places: readonly CodeReference[]): Hex[] {
  return places.map(({ start, length }) => slice(code, start, start + length));
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

function immutableCheck(name: string, values: readonly Hex[], expected: Hex | undefined): Check {
  const other = values.find((value) => value.toLowerCase() !== expected?.toLowerCase());
  const places = values.length === 1 ? '1 place' : `${values.length} places`;
  if (other === undefined)
    return { name: `immutable ${name}`, holds: true, found: `${expected} in ${places}` };
  return { name: `immutable ${name}`, holds: false, found: `${other}, expected ${expected}` };
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

/** The facts about the transaction that created the vault. */
interface Creation {
  readonly txHash: Hex;
  /** Null if its block is unknown. */
  readonly blockNumber: number | null;
}

/**
 * The code alone says nothing about the storage, which the creation code may have filled with hidden entitlements. So
 * the vault must be created by the artifact's creation code, directly in a transaction: another contract could create
 * the same code in other ways.
 */
async function* creationChecks(
  { chain, asked }: DeployClient,
  vault: Address,
  roles: Roles,
  creation: Creation,
): AsyncGenerator<Check> {
  const hash = creation.txHash;
  const receipt = await asked('the deployment could not be read', chain.getTransactionReceipt({ hash }));
  const { contractAddress, blockNumber } = receipt;
  yield {
    name: 'deployment',
    holds:
      contractAddress != null &&
      isAddressEqual(contractAddress, vault) &&
      (creation.blockNumber === null || Number(blockNumber) === creation.blockNumber),
    found: `${hash} in block ${blockNumber} made ${contractAddress ?? 'no contract'}`,
  };
  const { to, input } = await asked('the deployment could not be read', chain.getTransaction({ hash }));
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

function compare<T extends string | number>(name: string, found: T, expected: T): Check {
  const holds = found === expected;
  return { name, holds, found: holds ? `${found}` : `${found}, expected ${expected}` };
}
