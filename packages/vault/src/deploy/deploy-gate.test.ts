import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  size,
  toHex,
  zeroHash,
} from 'viem';
import { accountAt, type LocalAccount, type LocalChain, startChain } from '../../test/chain.ts';
import { cold, GATE, guardians, proposers } from '../../test/gate.ts';
import { startRpcProxy } from '../../test/rpc-proxy.ts';
import { operatorGateAbi, venueVaultAbi } from '../contract/abi.ts';
import { readAddresses, type VaultAddresses } from '../contract/addresses.ts';
import { gateArtifact } from '../contract/artifact.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';
import { type GateRequest, gateCreation, madeBy } from '../contract/gate-terms.ts';
import { vetoCall } from '../gate/calls.ts';
import { openGate } from '../gate/open.ts';
import { gateStatus } from '../gate/status.ts';
import { type DeployOptions, deployVault } from './deploy.ts';
import { deployTestStablecoin } from './test-stablecoin.ts';
import { type ExpectedVault, type VerifyTarget, verifyVault } from './verify.ts';

const deployer = accountAt(0);
const sweeper = accountAt(2);
const stranger = accountAt(9);
let chain: LocalChain;
let token: Address;
let folder: string;
let out: string;
let lines: string[];

before(async () => {
  chain = await startChain();
  token = await deployTestStablecoin({ rpcUrl: chain.rpcUrl, deployerKey: deployer.privateKey });
});
after(() => chain.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-gate-'));
  out = join(folder, 'vault.json');
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function deploy(gate: Partial<GateRequest> = {}, changes: Partial<DeployOptions> = {}) {
  return deployVault({
    rpcUrl: chain.rpcUrl,
    token,
    operator: { ...GATE, ...gate },
    failsafe: sweeper.address,
    deployerKey: deployer.privateKey,
    out,
    dryRun: false,
    log: (line) => lines.push(line),
    ...changes,
  });
}

const verify = (target: VerifyTarget, expected?: ExpectedVault) =>
  verifyVault({
    rpcUrl: chain.rpcUrl,
    target,
    log: (line) => lines.push(line),
    ...(expected !== undefined && { expected }),
  });

async function refuses(gate: Partial<GateRequest>, message: RegExp): Promise<void> {
  const height = await chain.client.getBlockNumber();
  await assert.rejects(deploy(gate), (error) => {
    assert.ok(error instanceof VaultDeployError, `${error}`);
    assert.match(error.message, message);
    return true;
  });
  assert.equal(await chain.client.getBlockNumber(), height);
}

describe('deployment of a gate (CUS-15)', () => {
  test('one plan and one transaction make vault, gate and failsafe, verified', async () => {
    const { plan } = await deploy({}, { dryRun: true });
    const { addresses } = await deploy();
    assert.ok(addresses?.gate !== undefined);
    const { vault, operator, failsafe } = plan;
    assert.deepEqual([addresses.vault, addresses.operator, addresses.failsafe], [vault, operator, failsafe]);
    const read = { address: vault, abi: venueVaultAbi } as const;
    assert.equal(await chain.client.readContract({ ...read, functionName: 'operator' }), operator);
    assert.equal(await chain.client.readContract({ ...read, functionName: 'failsafe' }), failsafe);
    assert.deepEqual(readAddresses(out), addresses);
    const { codeHash, ...terms } = addresses.gate;
    assert.equal(codeHash, keccak256((await chain.client.getCode({ address: operator }))!));
    assert.deepEqual(
      { ...terms, proposers: [...terms.proposers].sort(), guardians: [...terms.guardians].sort() },
      {
        ...GATE,
        sweeper: sweeper.address,
        proposers: [...GATE.proposers].sort(),
        guardians: [...GATE.guardians].sort(),
      },
    );
    const text = lines.join('\n');
    for (const shown of [vault, operator, failsafe, cold.address, sweeper.address, ...GATE.proposers])
      assert.ok(text.includes(shown), shown);
    assert.equal(lines.at(-1), 'verified: code, immutables and creation');
    assert.ok(lines.some((line) => line.startsWith('ok   gate code:')));
  });

  test('what the gate would refuse, and one key on two sides, is refused beforehand', async () => {
    const [first] = GATE.guardians as [string];
    await refuses({ cold: 'cold' }, /^cold cold is no address/);
    await refuses({ proposers: [] }, /from 1 to 32 proposers, not 0/);
    await refuses({ proposers: [first] }, /must be different: nobody watches itself/);
    await refuses({ cold: first }, /must be different/);
    await refuses({ guardians: [first, first, first] }, /must be different/);
    await refuses({ vetoes: 3 }, /a veto of 3 guardians takes from 1 to 2 votes, not 3/);
    await refuses({ capMaxMicros: 1 }, /above the cap of the epoch/);
    await refuses({ capMaxMicros: 0, freeMaxMicros: 0 }, /a cap of zero/);
    await refuses({ shortDelaySeconds: 86_400 }, /the short delay must be shorter/);
    await refuses({ epochSeconds: 86_399 }, /the epoch must not be shorter/);
    await refuses({ changeDelaySeconds: 86_400 }, /must take longer than the long delay/);
    await refuses({ sweepDelaySeconds: 86_400 }, /must take longer than the long delay/);
    await refuses({ sweepDelaySeconds: 1e9 }, /sweepDelaySeconds must be from 1 to/);
  });

  test('the cold key may also own the failsafe', async () => {
    const { plan } = await deploy({}, { failsafe: cold.address, dryRun: true });
    assert.equal(plan.gate?.sweeper, cold.address);
  });
});

describe('verification of a gate (CUS-15)', () => {
  let addresses: VaultAddresses;
  let real: Hex;
  beforeEach(async () => {
    addresses = (await deploy()).addresses!;
    real = (await chain.client.getCode({ address: addresses.operator }))!;
    lines = [];
  });

  test('by address alone it shows whom the gate obeys, with the transaction everything', async () => {
    const { vault, txHash } = addresses;
    const alone = await verify({ address: vault });
    assert.deepEqual([alone.holds, alone.isStorageVerified], [true, false]);
    const found = new Map(alone.checks.map((check) => [check.name, check.found]));
    assert.equal(found.get('gate cold key'), cold.address);
    assert.equal(found.get("failsafe's owner"), `${sweeper.address}, after 259200 s`);
    assert.match(found.get('gate guardians')!, /^2 of 0x/);
    assert.equal(found.get('gate amounts'), '100000000 at once, 5000000000 in all, per 86400 s');
    const all = await verify({ address: vault, txHash });
    assert.deepEqual([all.holds, all.isStorageVerified], [true, true]);
  });

  test('every position of every immutable of the gate counts', async () => {
    for (const [name, places] of Object.entries(gateArtifact.immutableReferences))
      for (const { start } of places) {
        await patch((code) => flip(code, start + 31));
        const codeHash = keccak256((await chain.client.getCode({ address: addresses.operator }))!);
        writeFileSync(out, JSON.stringify({ ...addresses, gate: { ...addresses.gate, codeHash } }));
        await failsAt({ file: out }, `immutable ${name}`, /expected/);
      }
  });

  test('one changed byte of the gate is detected', async () => {
    await patch((code) => flip(code, 1_000));
    await failsAt({ file: out }, 'gate code', /differs from the artifact/);
    // By address it is then an operator like any other, and is not called a gate.
    const { checks } = await verify({ address: addresses.vault });
    assert.match(checks.at(-1)!.found, /no gate of this repository/);
  });

  test('a file that contradicts the gate is not trusted', async () => {
    const gate = addresses.gate!;
    const cases: readonly (readonly [object, string])[] = [
      [{ codeHash: `0x${'ab'.repeat(32)}` }, 'gate code hash'],
      [{ cold: stranger.address }, 'immutable cold'],
      [{ sweeper: stranger.address }, 'immutable sweeper'],
      [{ freeMaxMicros: 1 }, 'immutable freeMax'],
      [{ capMaxMicros: 6_000_000_000 }, 'immutable capMax'],
      [{ longDelaySeconds: 86_401 }, 'immutable longDelay'],
      [{ vetoes: 1 }, 'creation code'],
      [{ guardians: [stranger.address] }, 'creation code'],
    ];
    for (const [change, check] of cases) {
      writeFileSync(out, JSON.stringify({ ...addresses, gate: { ...gate, ...change } }));
      await failsAt({ file: out }, check, /./);
    }
    writeFileSync(out, JSON.stringify({ ...addresses, gate: { ...gate, vetoes: 'two' } }));
    await assert.rejects(verify({ file: out }), /vault\.json: gate\.vetoes is missing or malformed/);
  });

  test('a gate made by other creation code is detected', async (t) => {
    const { vault, txHash } = addresses;
    const proxy = await startRpcProxy(chain.rpcUrl);
    t.after(() => proxy.stop());
    proxy.tamper = async ({ method, forward }) => {
      const answer = await forward();
      // An SSTORE where the artifact has something else.
      return method === 'eth_getTransactionByHash' ? { ...answer, input: flip(answer.input, 5) } : answer;
    };
    for (const target of [{ file: out }, { address: vault, txHash }]) {
      const { checks, holds } = await verifyVault({ rpcUrl: proxy.url, target, log: () => {} });
      assert.deepEqual([holds, checks.at(-1)?.name], [false, 'creation code']);
      assert.match(checks.at(-1)!.found, /may have left anything in the storage/);
    }
  });

  test('a gate with other guardians than a person knows shows them', async () => {
    const { txHash, gate } = addresses;
    const data = gateCreation(token, { ...gate!, guardians: [stranger.address], vetoes: 1 });
    const made = await chain.wallet(stranger).sendTransaction({ data });
    const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash: made });
    const { vault } = madeBy(contractAddress!);
    const { checks, holds } = await verify({ address: vault, txHash: made });
    assert.equal(holds, true);
    assert.ok(checks.some(({ found }) => found === `1 of ${stranger.address}`));
    await failsAt({ address: vault, txHash }, 'deployment', /made 0x/);
  });

  test('what a person expects is compared: chain, token, operator, failsafe', async () => {
    const { vault, operator, failsafe, chainId } = addresses;
    const right = { chainId, token, operator, failsafe };
    const { holds, checks } = await verify({ address: vault }, right);
    assert.equal(holds, true);
    const found = new Map(checks.map((check) => [check.name, check.found]));
    assert.deepEqual(
      ['chain id', 'token()', 'operator()', 'failsafe()'].map((name) => found.get(name)),
      [String(chainId), token, operator, failsafe],
    );
    for (const [name, wrong] of [
      ['expected chain', { chainId: 1 }],
      ['expected token', { token: stranger.address }],
      ['expected operator', { operator: stranger.address }],
      ['expected failsafe', { failsafe: stranger.address }],
    ] as const) {
      const { checks } = await verify({ address: vault }, { ...right, ...wrong });
      assert.deepEqual([checks.at(-1)?.name, checks.at(-1)?.holds], [name, false]);
    }
  });

  test('it still holds after proposers have changed, and says so', async () => {
    const data = encodeFunctionData({
      abi: operatorGateAbi,
      functionName: 'removeProposer',
      args: [proposers[0].address],
    });
    const hash = await chain.wallet(cold).sendTransaction({ to: addresses.operator, data });
    await chain.client.waitForTransactionReceipt({ hash });
    const { holds, checks } = await verify({ file: out });
    assert.equal(holds, true);
    const found = checks.find(({ name }) => name === 'gate proposers')?.found;
    assert.equal(found, `${proposers[1].address}; changed since the deployment`);
  });

  test('it does not hold while a sweep, a proposer or guardians are announced, and holds once they are vetoed', async () => {
    const act = async (to: Hex, data: Hex, by: LocalAccount) => {
      const hash = await chain.wallet(by).sendTransaction({ to, data });
      assert.equal((await chain.client.waitForTransactionReceipt({ hash })).status, 'success');
    };
    const { operator, failsafe, vault, txHash } = addresses;
    const byColdKey = (functionName: 'announceProposer' | 'announceGuardians', args: readonly unknown[]) =>
      act(operator, encodeFunctionData({ abi: operatorGateAbi, functionName, args } as never), cold);
    await byColdKey('announceProposer', [stranger.address]);
    await byColdKey('announceGuardians', [[stranger.address], 1n]);
    const sweep = encodeFunctionData({ abi: venueVaultAbi, functionName: 'emergencySweep' });
    const schedule = parseAbi([
      'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
    ]);
    const args = [vault, 0n, sweep, zeroHash, zeroHash, BigInt(GATE.sweepDelaySeconds)] as const;
    await act(failsafe, encodeFunctionData({ abi: schedule, args }), sweeper);
    const all = /operation 0x.*a sweep of the vault; proposer 0x.*; guardians 0x.*1 of 0x/s;
    for (const target of [{ file: out }, { address: vault, txHash }]) await failsAt(target, 'announced', all);
    assert.match(
      lines.at(-1)!,
      /^NOT VERIFIED: the vault is that of this repository, and something is announced/,
    );
    const { gate } = await openGate(out, [chain.rpcUrl]);
    const { announced } = await gateStatus(gate, addresses.blockNumber);
    for (const { id } of announced)
      for (const guardian of guardians) await act(operator, vetoCall(id), guardian);
    const { holds, checks } = await verify({ file: out });
    assert.deepEqual([holds, checks.at(-1)?.name, checks.at(-1)?.found], [true, 'announced', 'nothing']);
  });

  test('it does not hold once the failsafe’s owner has taken the veto from the gate', async () => {
    const revoke = encodeFunctionData({
      abi: parseAbi(['function revokeRole(bytes32 role, address account)']),
      args: [keccak256(toHex('CANCELLER_ROLE')), addresses.operator],
    });
    // The failsafe alone grants and revokes its roles.
    await chain.client.setBalance({ address: addresses.failsafe, value: 10n ** 18n });
    await chain.client.impersonateAccount({ address: addresses.failsafe });
    await chain.client.sendUnsignedTransaction({
      from: addresses.failsafe,
      to: addresses.failsafe,
      data: revoke,
    });
    await chain.client.mine({ blocks: 1 });
    await failsAt({ file: out }, 'veto a sweep', /nobody can/);
  });

  async function failsAt(target: VerifyTarget, name: string, found: RegExp) {
    const { holds, checks } = await verify(target);
    assert.equal(holds, false);
    assert.equal(checks.at(-1)?.name, name);
    assert.match(checks.at(-1)!.found, found);
  }

  /** Puts the real code on chain with one change. */
  async function patch(change: (code: Hex) => Hex): Promise<void> {
    await chain.client.setCode({ address: addresses.operator, bytecode: change(real) });
  }
});

function flip(code: Hex, at: number): Hex {
  const digits = code.slice(2 + at * 2, 4 + at * 2);
  const flipped = pad(numberToHex(Number.parseInt(digits, 16) ^ 1), { size: 1 }).slice(2);
  assert.ok(at < size(code));
  return `${code.slice(0, 2 + at * 2)}${flipped}${code.slice(4 + at * 2)}` as Hex;
}
