/** The gas cost of each act, measured on a local chain whose every number is fixed, so that the table is exact. */

import { parseAddress } from '@venue/protocol';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  slice,
  toHex,
  zeroHash,
} from 'viem';
import { testStablecoinAbi, venueVaultAbi } from '../src/contract/abi.ts';
import { testStablecoinArtifact, vaultArtifact } from '../src/contract/artifact.ts';
import { gateCreation, gateTermsOf, madeBy } from '../src/contract/gate-terms.ts';
import { executeCall, gateBatchId, proposeCall, vetoCall } from '../src/gate/calls.ts';
import { accountAt, type LocalAccount, type LocalChain, startChain } from './chain.ts';
import { GATE, guardians, proposers } from './gate.ts';

const TIMELOCK = parseAbi([
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function hashOperation(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) view returns (bytes32)',
]);
const AMOUNT = 25_000_000n;
const FUNDS = 1_000_000_000_000n;
const BATCHES = [1, 50, 200];
const DEADLINE = 4_000_000_000n;
/** Payouts in a batch through the gate. */
const PROPOSED = 50;

interface Row {
  readonly act: string;
  readonly gas: bigint;
  readonly payouts?: number;
}

/** The whole of `GAS.md`. */
export async function gasTable(): Promise<string> {
  const chain = await startChain();
  try {
    return render(await measure(chain));
  } finally {
    await chain.stop();
  }
}

async function measure(chain: LocalChain): Promise<Row[]> {
  return [...(await measureVault(chain)), ...(await measureGate(chain))];
}

/** The same acts of the operator through a gate, whose allowances hold every other batch. */
async function measureGate(chain: LocalChain): Promise<Row[]> {
  const wallet = chain.wallet(proposers[0]);
  const token = await deployed(chain, wallet.deployContract(testStablecoinArtifact));
  const free = Number(BigInt(PROPOSED) * AMOUNT);
  const request = { ...GATE, freeMaxMicros: free, capMaxMicros: 10 * free };
  const data = gateCreation(token.address, gateTermsOf(request, accountAt(2).address));
  const gate = await deployed(chain, wallet.sendTransaction({ data }));
  const mint = { functionName: 'mint', args: [madeBy(gate.address).vault, FUNDS] } as const;
  await receiptOf(chain, wallet.writeContract({ address: token.address, abi: testStablecoinAbi, ...mint }));
  const send = async (by: LocalAccount, call: Hex) =>
    (await receiptOf(chain, chain.wallet(by).sendTransaction({ to: gate.address, data: call }))).gasUsed;
  const batches = [1, 2].map((batch) => ({
    id: keccak256(numberToHex(batch)),
    payouts: strangers(PROPOSED * batch)
      .slice(-PROPOSED)
      .map((account, i) => ({
        id: BigInt(70_000 + batch * 1_000 + i),
        account: parseAddress(account)!,
        amount: AMOUNT,
      })),
  }));
  const [first, second] = batches as [(typeof batches)[0], (typeof batches)[0]];
  const atOnce = await send(proposers[0], proposeCall(first.id, first.payouts));
  const waiting = await send(proposers[0], proposeCall(second.id, second.payouts));
  const veto = await send(guardians[0], vetoCall(gateBatchId(second.id, second.payouts)));
  await chain.client.increaseTime({ seconds: GATE.shortDelaySeconds });
  const executed = await send(guardians[0], executeCall(second.id, second.payouts));
  const sweep = await measureSweep(chain, { gate: gate.address, send });
  const of = `of ${PROPOSED}, accounts new to the vault`;
  return [
    { act: 'deployment of gate, failsafe and vault', gas: gate.gas },
    { act: `\`propose\` ${of}, committed at once`, gas: atOnce, payouts: PROPOSED },
    { act: `\`propose\` of ${PROPOSED}, which wait`, gas: waiting, payouts: PROPOSED },
    { act: `\`execute\` ${of}`, gas: executed, payouts: PROPOSED },
    { act: "`veto`, a guardian's vote", gas: veto },
    { act: '`schedule` of a sweep at the failsafe', gas: sweep.announced },
    { act: '`veto` of it, the two votes of guardians', gas: sweep.vetoed },
  ];
}

/** The gas for the failsafe's owner to announce a sweep, and for guardians to stop it. */
async function measureSweep(
  chain: LocalChain,
  { gate, send }: { gate: Address; send: (by: LocalAccount, call: Hex) => Promise<bigint> },
) {
  const { vault, failsafe } = madeBy(gate);
  const call = encodeFunctionData({ abi: venueVaultAbi, functionName: 'emergencySweep' });
  const args = [vault, 0n, call, zeroHash, zeroHash] as const;
  const schedule = { functionName: 'schedule', args: [...args, BigInt(GATE.sweepDelaySeconds)] } as const;
  const sent = chain.wallet(accountAt(2)).writeContract({ address: failsafe, abi: TIMELOCK, ...schedule });
  const announced = (await receiptOf(chain, sent)).gasUsed;
  const id = await chain.client.readContract({
    ...{ address: failsafe, abi: TIMELOCK, functionName: 'hashOperation', args },
  });
  const votes = [await send(guardians[0], vetoCall(id)), await send(guardians[1], vetoCall(id))];
  return { announced, vetoed: votes[0]! + votes[1]! };
}

async function measureVault(chain: LocalChain): Promise<Row[]> {
  const [deployer, operator, failsafe, alice, bob, relayer] = chain.accounts as [
    LocalAccount,
    LocalAccount,
    LocalAccount,
    LocalAccount,
    LocalAccount,
    LocalAccount,
  ];
  const scene = await Scene.deploy(chain, { deployer, operator, failsafe });
  const rows: Row[] = [{ act: 'deployment', gas: scene.deploymentGas }];
  for (const account of [alice, bob]) await scene.fund(account);
  rows.push({ act: "`deposit`, the vault's first", gas: await scene.deposit(alice) });
  rows.push({ act: '`deposit`, later', gas: await scene.deposit(bob) });
  await scene.mintToVault();
  await scene.commit([deployer.address]);
  await scene.claim(deployer);
  await scene.commit([deployer.address]);
  for (const count of BATCHES) {
    const payees = strangers(count);
    rows.push({
      act: `\`commit\` of ${count}, accounts new to the vault`,
      gas: await scene.commit(payees),
      payouts: count,
    });
    rows.push({
      act: `\`commit\` of ${count}, accounts not yet paid out`,
      gas: await scene.commit(payees),
      payouts: count,
    });
  }
  await scene.commit([alice.address, bob.address, relayer.address]);
  rows.push({ act: '`claim`, the account holds tokens', gas: await scene.claim(alice) });
  rows.push({ act: '`claim`, the account holds none', gas: await scene.claim(relayer) });
  rows.push({ act: '`claimFor`, the first', gas: await scene.claimFor(bob, relayer) });
  await scene.commit([bob.address]);
  rows.push({ act: '`claimFor`, later', gas: await scene.claimFor(bob, relayer) });
  rows.push({ act: '`emergencySweep`', gas: await scene.sweep(failsafe) });
  return rows;
}

/** Accounts that no test used before, with addresses like real ones. */
function strangers(count: number): Address[] {
  return Array.from({ length: count }, (_, index) => slice(keccak256(toHex(`${count}/${index}`)), 12));
}

interface Roles {
  readonly deployer: LocalAccount;
  readonly operator: LocalAccount;
  readonly failsafe: LocalAccount;
}

class Scene {
  readonly chain: LocalChain;
  readonly #roles: Roles;
  readonly #token: Address;
  readonly #vault: Address;
  readonly deploymentGas: bigint;
  /** Realistic numbers of an exchange in use. */
  #payoutId = 70_000n;
  #batch = 0;

  private constructor(chain: LocalChain, roles: Roles, token: Deployed, vault: Deployed) {
    this.chain = chain;
    this.#roles = roles;
    this.#token = token.address;
    this.#vault = vault.address;
    this.deploymentGas = vault.gas;
  }

  static async deploy(chain: LocalChain, roles: Roles): Promise<Scene> {
    const { deployer, operator, failsafe } = roles;
    const token = await deployed(chain, chain.wallet(deployer).deployContract(testStablecoinArtifact));
    const args = [token.address, operator.address, failsafe.address];
    const vault = await deployed(chain, chain.wallet(deployer).deployContract({ ...vaultArtifact, args }));
    return new Scene(chain, roles, token, vault);
  }

  async fund(account: LocalAccount): Promise<void> {
    const token = { address: this.#token, abi: testStablecoinAbi } as const;
    const wallet = this.chain.wallet(account);
    await this.#gas(wallet.writeContract({ ...token, functionName: 'mint', args: [account.address, FUNDS] }));
    await this.#gas(
      wallet.writeContract({ ...token, functionName: 'approve', args: [this.#vault, maxUint256] }),
    );
  }

  async mintToVault(): Promise<void> {
    const token = { address: this.#token, abi: testStablecoinAbi } as const;
    const wallet = this.chain.wallet(this.#roles.deployer);
    await this.#gas(wallet.writeContract({ ...token, functionName: 'mint', args: [this.#vault, FUNDS] }));
  }

  deposit(account: LocalAccount): Promise<bigint> {
    const call = { ...this.#contract(), functionName: 'deposit', args: [AMOUNT] } as const;
    return this.#gas(this.chain.wallet(account).writeContract(call));
  }

  commit(payees: readonly Address[]): Promise<bigint> {
    const payouts = payees.map((account) => ({ id: this.#payoutId++, account, amount: AMOUNT }));
    const batchId = keccak256(numberToHex(this.#batch++));
    const call = { ...this.#contract(), functionName: 'commit', args: [batchId, payouts] } as const;
    return this.#gas(this.chain.wallet(this.#roles.operator).writeContract(call));
  }

  claim(account: LocalAccount): Promise<bigint> {
    const call = { ...this.#contract(), functionName: 'claim' } as const;
    return this.#gas(this.chain.wallet(account).writeContract(call));
  }

  async claimFor(account: LocalAccount, relayer: LocalAccount): Promise<bigint> {
    const read = { ...this.#contract(), functionName: 'nonces', args: [account.address] } as const;
    const nonce = await this.chain.client.readContract(read);
    const signature = await signClaim(account, {
      chainId: this.chain.chainId,
      vault: this.#vault,
      nonce,
      deadline: DEADLINE,
    });
    const args = [account.address, DEADLINE, signature] as const;
    const call = { ...this.#contract(), functionName: 'claimFor', args } as const;
    return this.#gas(this.chain.wallet(relayer).writeContract(call));
  }

  sweep(account: LocalAccount): Promise<bigint> {
    const call = { ...this.#contract(), functionName: 'emergencySweep' } as const;
    return this.#gas(this.chain.wallet(account).writeContract(call));
  }

  #contract() {
    return { address: this.#vault, abi: venueVaultAbi } as const;
  }

  async #gas(sent: Promise<Hex>): Promise<bigint> {
    return (await receiptOf(this.chain, sent)).gasUsed;
  }
}

interface ClaimTerms {
  readonly chainId: number;
  readonly vault: Address;
  readonly nonce: bigint;
  /** Unix seconds. */
  readonly deadline: bigint;
}

/** The signature that lets anyone send the account's claim. */
export function signClaim(
  account: LocalAccount,
  { chainId, vault, nonce, deadline }: ClaimTerms,
): Promise<Hex> {
  const fields = [
    { name: 'account', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ] as const;
  return account.signTypedData({
    domain: { name: 'Venue Vault', version: '1', chainId, verifyingContract: vault },
    types: { Claim: fields },
    primaryType: 'Claim',
    message: { account: account.address, nonce, deadline },
  });
}

interface Deployed {
  readonly address: Address;
  readonly gas: bigint;
}

async function deployed(chain: LocalChain, sent: Promise<Hex>): Promise<Deployed> {
  const { contractAddress, gasUsed } = await receiptOf(chain, sent);
  if (contractAddress == null) throw new Error('no contract was made');
  return { address: contractAddress, gas: gasUsed };
}

async function receiptOf(chain: LocalChain, sent: Promise<Hex>) {
  const receipt = await chain.client.waitForTransactionReceipt({ hash: await sent });
  if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} failed`);
  return receipt;
}

function render(rows: readonly Row[]): string {
  const lines = rows.map(({ act, gas, payouts }) => {
    const each = payouts === undefined ? '' : grouped(gas / BigInt(payouts));
    return `| ${act} | ${grouped(gas)} | ${each} |\n`;
  });
  const { version } = vaultArtifact.compiler;
  return `# Gas

Whole transactions, as their receipts say, on anvil (Cancun rules) with the code of solc ${version.split('+')[0]} that is committed. The token is the test stablecoin with an unlimited allowance; a stablecoin behind a proxy costs more for each \`deposit\`, claim and sweep. \`packages/vault/scripts/gas.ts\` writes this file, and a test holds it to the last unit.

| act | gas | per payout |
|---|---:|---:|
${lines.join('')}`;
}

function grouped(value: bigint): string {
  return value.toLocaleString('en-US');
}
