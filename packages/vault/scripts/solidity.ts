/** Compiles the deployed contracts with the compiler from npm and the settings of `foundry.toml`. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Abi, formatAbi } from 'abitype';

export const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Source file of each contract whose compiled form is committed, by the contract's name. */
const CONTRACTS: ReadonlyMap<string, string> = new Map([
  ['VenueVault', 'contracts/VenueVault.sol'],
  ['OperatorGate', 'contracts/OperatorGate.sol'],
  ['TestStablecoin', 'contracts/test/TestStablecoin.sol'],
]);

const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'none' },
};
/** A general warning about transient storage; the guard that uses it clears it at the end of every call. */
const TRANSIENT_STORAGE = '2394';
const OUTPUTS = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'];

export interface Compiled {
  readonly contract: string;
  readonly compiler: { readonly version: string; readonly settings: typeof SETTINGS };
  readonly abi: Abi;
  readonly bytecode: string;
  readonly deployedBytecode: string;
  /** Byte positions of each immutable in the deployed code, by the name of its variable. */
  readonly immutableReferences: Readonly<Record<string, readonly Reference[]>>;
}

interface Reference {
  readonly start: number;
  readonly length: number;
}

interface Solc {
  version(): string;
  compile(input: string, callbacks: { import: (path: string) => object }): string;
}

interface Output {
  readonly errors?: readonly Complaint[];
  readonly sources: Readonly<Record<string, { ast: unknown }>>;
  readonly contracts: Readonly<Record<string, Readonly<Record<string, ContractOutput>>>>;
}

interface Complaint {
  readonly errorCode: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
}

interface ContractOutput {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: {
      readonly object: string;
      readonly immutableReferences?: Readonly<Record<string, readonly Reference[]>>;
    };
  };
}

/** The generated files to commit, as text by path from the package's folder; throws the compiler's errors. */
export function compiledFiles(): Map<string, string> {
  const compiled = compileContracts(CONTRACTS);
  const artifacts = compiled.map(
    (one) => [`artifacts/${one.contract}.json`, `${JSON.stringify(one, null, 2)}\n`] as const,
  );
  return new Map([...artifacts, ['src/contract/abi.ts', abiModule(compiled)]]);
}

/** Compiles contracts, given the source file of each; throws the compiler's errors. */
export function compileContracts(contracts: ReadonlyMap<string, string>): Compiled[] {
  const solc = createRequire(import.meta.url)('solc') as Solc;
  const paths = [...new Set(contracts.values())];
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      paths.map((path) => [path, { content: readFileSync(join(PACKAGE, path), 'utf8') }]),
    ),
    settings: { ...SETTINGS, outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readSource })) as Output;
  const complaints = (output.errors ?? []).filter(isOurs);
  if (complaints.length > 0) throw new Error(complaints.map((one) => one.formattedMessage).join('\n'));
  const names = immutableNames(output);
  return [...contracts].map(([contract, path]) => {
    const { abi, evm } = output.contracts[path]![contract]!;
    return {
      contract,
      compiler: { version: solc.version(), settings: SETTINGS },
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      immutableReferences: Object.fromEntries(
        Object.entries(evm.deployedBytecode.immutableReferences ?? {}).map(([id, at]) => [
          names.get(Number(id))!,
          at,
        ]),
      ),
    };
  });
}

/** Every error, and those warnings that our own sources can fix. */
function isOurs({ errorCode, severity, sourceLocation }: Complaint): boolean {
  if (severity === 'error') return true;
  return errorCode !== TRANSIENT_STORAGE && !sourceLocation?.file.startsWith('@');
}

function readSource(path: string): object {
  const require = createRequire(import.meta.url);
  const file = path.startsWith('@') ? require.resolve(path) : join(PACKAGE, path);
  return { contents: readFileSync(file, 'utf8') };
}

/** The compiler identifies an immutable by the id of its declaration in the syntax tree. */
function immutableNames(output: Output): Map<number, string> {
  const names = new Map<number, string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { id, name, mutability } = node as { id?: number; name?: string; mutability?: string };
    if (mutability === 'immutable' && id !== undefined && name !== undefined) names.set(id, name);
    for (const child of Object.values(node)) visit(child);
  };
  for (const { ast } of Object.values(output.sources)) visit(ast);
  return names;
}

/** The text of `src/contract/abi.ts`. */
export function abiModule(compiled: readonly Pick<Compiled, 'contract' | 'abi'>[]): string {
  const constants = compiled.map(({ contract, abi }) => {
    const name = `${contract[0]!.toLowerCase()}${contract.slice(1)}Abi`;
    const lines = formatAbi(abi).map((line) => `  '${line}',\n`);
    return `/** The functions, events and errors of \`${contract}\`. */\nexport const ${name} = parseAbi([\n${lines.join('')}]);\n`;
  });
  const head =
    "/** Written by packages/vault/scripts/compile.ts; do not edit. */\n\nimport { parseAbi } from 'viem';\n\n";
  return head + constants.join('\n');
}
