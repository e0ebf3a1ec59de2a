/** The file written by a deployment: where the vault is and what it was built with. */

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Address, getAddress, type Hex, isAddress, isHex, size } from 'viem';
import { VaultDeployError } from './deploy-error.ts';
import type { GateTerms } from './gate-terms.ts';

export interface VaultAddresses {
  readonly chainId: number;
  readonly vault: Address;
  readonly token: Address;
  readonly operator: Address;
  readonly failsafe: Address;
  /** The block of the deployment, from which the watcher must read. */
  readonly blockNumber: number;
  readonly txHash: Hex;
  /** Keccak-256 of the code on chain. */
  readonly codeHash: Hex;
  /** Present if the operator is a gate, which made the vault in the same transaction. */
  readonly gate?: GateAddresses;
}

/** The gate at the address of the operator: what it was built with. The failsafe is its timelock. */
export interface GateAddresses extends GateTerms {
  /** Keccak-256 of the gate's code on chain. */
  readonly codeHash: Hex;
}

/** A file that is checked to be writable before anything is sent, and written once the result is known. */
export interface AddressesFile {
  readonly path: string;
  /** Writes the whole file; throws `VaultDeployError` if one of that name exists by now. */
  write(addresses: VaultAddresses): void;
  /** Leaves no file behind if nothing was written. */
  discard(): void;
}

/** Throws `VaultDeployError` if the file exists, because it is never overwritten, or cannot be created. */
export function reserveAddressesFile(path: string): AddressesFile {
  refuseExisting(path);
  const temporary = `${path}.${randomUUID()}.tmp`;
  let file: number;
  try {
    file = openSync(temporary, 'wx', 0o644);
  } catch (error) {
    throw new VaultDeployError(
      `${path} cannot be written (${codeOf(error)}): name a file in a folder that exists`,
    );
  }
  const discard = () => rmSync(temporary, { force: true });
  return {
    path,
    discard: () => {
      closeSync(file);
      discard();
    },
    write: (addresses) => {
      writeSync(file, `${JSON.stringify(addresses, null, 2)}\n`);
      fsyncSync(file);
      try {
        linkSync(temporary, path);
      } catch (error) {
        throw new VaultDeployError(
          `${path} cannot be written (${codeOf(error)}): keep ${JSON.stringify(addresses)}`,
        );
      }
      syncFolder(dirname(path));
    },
  };
}

export function refuseExisting(path: string): void {
  if (existsSync(path))
    throw new VaultDeployError(`${path} exists and is not overwritten: move it away or name another file`);
}

/** Reads a file that a deployment wrote; throws a `VaultDeployError` that names the invalid field. */
export function readAddresses(path: string): VaultAddresses {
  const fields = readObject(path);
  const { number, address, hash } = readersOf(path, fields, '');
  return {
    chainId: number('chainId'),
    vault: address('vault'),
    token: address('token'),
    operator: address('operator'),
    failsafe: address('failsafe'),
    blockNumber: number('blockNumber'),
    txHash: hash('txHash'),
    codeHash: hash('codeHash'),
    ...(fields.gate !== undefined && { gate: readGate(path, fields.gate) }),
  };
}

function readGate(path: string, value: unknown): GateAddresses {
  const fields = typeof value === 'object' && value !== null ? (value as Fields) : {};
  const { number, address, addresses, hash } = readersOf(path, fields, 'gate.');
  return {
    codeHash: hash('codeHash'),
    cold: address('cold'),
    sweeper: address('sweeper'),
    proposers: addresses('proposers'),
    guardians: addresses('guardians'),
    vetoes: number('vetoes'),
    freeMaxMicros: number('freeMaxMicros'),
    capMaxMicros: number('capMaxMicros'),
    epochSeconds: number('epochSeconds'),
    shortDelaySeconds: number('shortDelaySeconds'),
    longDelaySeconds: number('longDelaySeconds'),
    changeDelaySeconds: number('changeDelaySeconds'),
    sweepDelaySeconds: number('sweepDelaySeconds'),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function readersOf(path: string, fields: Fields, prefix: string) {
  const fail = (name: string): never => {
    throw new VaultDeployError(
      `${path}: ${prefix}${name} is missing or malformed; take the file of the deployment`,
    );
  };
  const number = (name: string): number => {
    const value = fields[name];
    return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fail(name);
  };
  const address = (name: string): Address => {
    const value = fields[name];
    return typeof value === 'string' && isAddress(value) ? getAddress(value) : fail(name);
  };
  const hash = (name: string): Hex => {
    const value = fields[name];
    return isHex(value) && size(value) === 32 ? value : fail(name);
  };
  const addresses = (name: string): readonly Address[] => {
    const value = fields[name];
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && isAddress(one));
    return isList ? value.map((one) => getAddress(one)) : fail(name);
  };
  return { number, address, addresses, hash };
}

function readObject(path: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${codeOf(error)})`;
    throw new VaultDeployError(`${path} ${reason}: name the file that a deployment wrote`);
  }
  if (typeof value === 'object' && value !== null) return value as Fields;
  throw new VaultDeployError(`${path} is not a file that a deployment wrote`);
}

/** The file name is durable only once its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
