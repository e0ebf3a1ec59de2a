import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import {
  type Address,
  domainSeparator,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  size,
  slice,
} from 'viem';
import { accountAt, type LocalChain, startChain } from '../../test/chain.ts';
import { Fault, startRpcProxy } from '../../test/rpc-proxy.ts';
import { testStablecoinAbi, venueVaultAbi } from '../contract/abi.ts';
import { readAddresses, type VaultAddresses } from '../contract/addresses.ts';
import { vaultArtifact } from '../contract/artifact.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';
import { type DeployOptions, deployVault } from './deploy.ts';
import { deployTestStablecoin } from './test-stablecoin.ts';
import { type VerifyTarget, verifyVault } from './verify.ts';

const deployer = accountAt(0);
const operator = accountAt(1);
const failsafe = accountAt(2);
const stranger = accountAt(3);
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
  folder = mkdtempSync(join(tmpdir(), 'venue-vault-'));
  out = join(folder, 'vault.json');
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function deploy(changes: Partial<DeployOptions> = {}) {
  return deployVault({
    rpcUrl: chain.rpcUrl,
    token,
    operator: operator.address,
    failsafe: failsafe.address,
    deployerKey: deployer.privateKey,
    out,
    dryRun: false,
    log: (line) => lines.push(line),
    ...changes,
  });
}

/** Read again each time: the client otherwise caches it for a while. */
const blockNumber = () => chain.client.getBlockNumber();

const verify = (target: VerifyTarget) =>
  verifyVault({ rpcUrl: chain.rpcUrl, target, log: (line) => lines.push(line) });

async function refuses(changes: Partial<DeployOptions>, message: RegExp): Promise<void> {
  const height = await blockNumber();
  await assert.rejects(deploy(changes), (error) => {
    assert.ok(error instanceof VaultDeployError, `${error}`);
    assert.match(error.message, message);
    assert.ok(!error.message.includes('\n') && !error.message.includes(deployer.privateKey));
    return true;
  });
  assert.equal(await blockNumber(), height);
}

describe('deployment of a vault', () => {
  test('a dry run shows arguments, address, gas and cost, and sends nothing', async () => {
    const height = await blockNumber();
    const { plan, addresses } = await deploy({ dryRun: true, operator: operator.address.toLowerCase() });
    assert.equal(addresses, undefined);
    assert.equal(await blockNumber(), height);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(plan.costWeiMax, plan.gas * plan.maxFeePerGasWei);
    const text = lines.join('\n');
    for (const shown of [token, operator.address, failsafe.address, plan.vault, `${plan.gas}`])
      assert.ok(text.includes(shown), shown);
    assert.ok(!text.includes(deployer.privateKey.slice(2)));
    const { addresses: real } = await deploy();
    assert.equal(real?.vault, plan.vault);
    const { gasUsed } = await chain.client.getTransactionReceipt({ hash: real.txHash });
    assert.ok(gasUsed <= plan.gas && gasUsed > plan.gas / 2n);
  });

  test('a real run leaves a file of what is on chain, verified', async () => {
    const { addresses } = await deploy({ chainId: chain.chainId });
    assert.deepEqual(readAddresses(out), addresses);
    assert.deepEqual(readdirSync(folder), ['vault.json']);
    assert.ok(addresses !== undefined);
    const { vault, txHash, codeHash, blockNumber } = addresses;
    const code = await chain.client.getCode({ address: vault });
    assert.equal(codeHash, keccak256(code ?? '0x'));
    const receipt = await chain.client.getTransactionReceipt({ hash: txHash });
    assert.equal(receipt.blockNumber, BigInt(blockNumber));
    const read = { address: vault, abi: venueVaultAbi } as const;
    assert.equal(await chain.client.readContract({ ...read, functionName: 'operator' }), operator.address);
    assert.equal(await chain.client.readContract({ ...read, functionName: 'failsafe' }), failsafe.address);
    assert.equal(await chain.client.readContract({ ...read, functionName: 'token' }), token);
    assert.ok(lines.some((line) => line.startsWith('ok   code:')));
    assert.ok(!lines.some((line) => line.startsWith('FAIL')));
  });

  test('an existing file is not overwritten, and nothing is sent', async () => {
    writeFileSync(out, 'mine');
    await refuses({}, /vault\.json exists and is not overwritten/);
    assert.equal(readFileSync(out, 'utf8'), 'mine');
    await refuses({ out: join(folder, 'no', 'vault.json') }, /cannot be written \(ENOENT\)/);
  });

  test('a file created meanwhile stays, and the addresses are printed instead', async () => {
    const log = (line: string) => {
      if (line.startsWith('sent')) writeFileSync(out, 'mine');
    };
    await assert.rejects(deploy({ log }), /cannot be written \(EEXIST\): keep \{"chainId":31337,"vault":"0x/);
    assert.equal(readFileSync(out, 'utf8'), 'mine');
    assert.deepEqual(readdirSync(folder), ['vault.json']);
  });

  test('roles that the vault would refuse are refused beforehand', async () => {
    await refuses({ operator: 'operator' }, /^operator operator is no address/);
    await refuses({ operator: `${operator.address.slice(0, -1)}c` }, /its checksum is wrong/);
    await refuses({ failsafe: `0x${'0'.repeat(40)}` }, /^failsafe is the zero address/);
    await refuses({ failsafe: operator.address }, /three different addresses/);
    await refuses({ operator: token.toLowerCase() }, /three different addresses/);
  });

  test('a token that is not a contract, or has other than six decimals, is refused', async () => {
    await refuses({ token: stranger.address }, /there is no contract at the token/);
    const { addresses } = await deploy();
    await refuses({ token: addresses!.vault, out: join(folder, 'other.json') }, /has no decimals\(\)/);
    const eighteen = getAddress(`0x${'e'.repeat(40)}`);
    await chain.client.setCode({ address: eighteen, bytecode: '0x601260005260206000f3' });
    await refuses({ token: eighteen, out: join(folder, 'other.json') }, /has 18 decimals: name one with 6/);
  });

  test('another chain, a dead server, a bad key and an account without funds are refused in one line', async (t) => {
    await refuses({ chainId: 1 }, /serves chain 31337, not 1/);
    await refuses({ deployerKey: '0x12' }, /^VENUE_DEPLOYER_KEY must be a private key/);
    await refuses({ deployerKey: `0x${'0'.repeat(64)}` }, /^VENUE_DEPLOYER_KEY must be a private key/);
    await refuses({ rpcUrl: 'ws://127.0.0.1:1' }, /must be an http/);
    await refuses(
      { rpcUrl: 'http://127.0.0.1:2/secret' },
      /^no chain answers at 127\.0\.0\.1:2: (?!.*secret)/,
    );
    const proxy = await startRpcProxy(chain.rpcUrl);
    t.after(() => proxy.stop());
    proxy.tamper = () => new Fault('error', 'the project k3y-of-somebody is over its quota');
    await refuses(
      { rpcUrl: `${proxy.url}/v3/k3y-of-somebody` },
      /^no chain answers at .*the project … is over its quota/,
    );
    const poor: Hex = `0x${'77'.repeat(32)}`;
    await refuses({ deployerKey: poor }, /^0x\w{40} has 0 ether and may need 0\.\d+: send it more$/);
  });
});

describe('verification of a vault', () => {
  let addresses: VaultAddresses;
  let real: Hex;
  beforeEach(async () => {
    const done = await deploy();
    assert.ok(done.addresses !== undefined);
    addresses = done.addresses;
    real = (await chain.client.getCode({ address: addresses.vault })) ?? '0x';
    lines = [];
  });

  test('by address alone it shows whom the vault obeys', async () => {
    const { holds, isStorageVerified, checks } = await verify({ address: addresses.vault });
    assert.deepEqual([holds, isStorageVerified], [true, false]);
    assert.match(lines.at(-1)!, /^NOT VERIFIED: .* the storage is not known/);
    const found = new Map(checks.map((check) => [check.name, check.found]));
    assert.equal(found.get('operator()'), operator.address);
    assert.equal(found.get('failsafe()'), failsafe.address);
    assert.equal(found.get('token()'), token);
    assert.equal(checks.filter(({ name }) => name.startsWith('immutable')).length, 10);
  });

  test('with the transaction that created it the storage is verified, too', async () => {
    const { vault, txHash } = addresses;
    const { holds, isStorageVerified } = await verify({ address: vault, txHash });
    assert.deepEqual([holds, isStorageVerified], [true, true]);
    assert.equal(lines.at(-1), 'verified: code, immutables and creation');
    const mint = { address: token, abi: testStablecoinAbi, functionName: 'mint', args: [vault, 5n] } as const;
    const unrelated = await chain.wallet(operator).writeContract(mint);
    await chain.client.waitForTransactionReceipt({ hash: unrelated });
    await failsAt({ address: vault, txHash: unrelated }, 'deployment', /made no contract$/);
  });

  test('a vault whose creation left an entitlement in the storage is detected', async () => {
    const { vault, txHash } = await backDoored();
    const claimable = { address: vault, abi: venueVaultAbi, functionName: 'totalClaimed' } as const;
    assert.equal(await chain.client.readContract(claimable), 99n);
    const alone = await verify({ address: vault });
    assert.deepEqual([alone.holds, alone.isStorageVerified], [true, false]);
    await failsAt({ address: vault, txHash }, 'creation code', /may have left anything in the storage/);
    const { blockNumber } = await chain.client.getTransactionReceipt({ hash: txHash });
    const code = (await chain.client.getCode({ address: vault }))!;
    const forged = {
      ...addresses,
      vault,
      txHash,
      blockNumber: Number(blockNumber),
      codeHash: keccak256(code),
    };
    const other = join(folder, 'other.json');
    writeFileSync(other, JSON.stringify(forged));
    await failsAt({ file: other }, 'creation code', /may have left anything in the storage/);
  });

  test('it still holds after the vault was used', async () => {
    const wallet = chain.wallet(operator);
    const call = {
      address: token,
      abi: testStablecoinAbi,
      functionName: 'mint',
      args: [addresses.vault, 5n],
    } as const;
    await wallet.writeContract(call);
    assert.equal((await verify({ file: out })).holds, true);
  });

  test('an address without code and other code are distinguished', async () => {
    await failsAt({ address: stranger.address }, 'code', /there is none/);
    await failsAt({ address: token }, 'code', /bytes, the artifact has/);
  });

  test('one changed byte is detected', async () => {
    await patch((code) => flip(code, 1_000));
    await failsAt({ address: addresses.vault }, 'code', /differs from the artifact/);
  });

  test('a vault that shows one operator and obeys another is detected', async () => {
    for (const { start } of vaultArtifact.immutableReferences.operator!) {
      await patch((code) => splice(code, start, pad(stranger.address)));
      const { holds } = await verify({ address: addresses.vault });
      assert.equal(holds, false, `place ${start}`);
    }
  });

  test('every position of every immutable counts', async () => {
    for (const [name, places] of Object.entries(vaultArtifact.immutableReferences))
      for (const { start } of places) {
        await patch((code) => flip(code, start + 31));
        await failsAt({ file: out }, 'code hash', /expected/);
        const { checks } = await verify({ address: addresses.vault });
        assert.equal(checks.at(-1)?.holds, false, `${name} at ${start}`);
      }
  });

  test('a file that contradicts the chain is not trusted', async () => {
    const other = join(folder, 'other.json');
    const cases: readonly (readonly [Partial<VaultAddresses>, string])[] = [
      [{ chainId: 1 }, 'chain id'],
      [{ codeHash: `0x${'ab'.repeat(32)}` }, 'code hash'],
      [{ operator: stranger.address }, 'immutable operator'],
      [{ failsafe: stranger.address }, 'immutable failsafe'],
      [{ token: stranger.address }, 'immutable token'],
      [{ blockNumber: 0 }, 'deployment'],
    ];
    for (const [change, check] of cases) {
      writeFileSync(other, JSON.stringify({ ...addresses, ...change }));
      await failsAt({ file: other }, check, /./);
    }
  });

  test('a missing or damaged file is named', async () => {
    const other = join(folder, 'other.json');
    await assert.rejects(verify({ file: other }), /other\.json cannot be read \(ENOENT\)/);
    writeFileSync(other, '{');
    await assert.rejects(verify({ file: other }), /other\.json is not JSON/);
    writeFileSync(other, JSON.stringify({ ...addresses, vault: '0x12' }));
    await assert.rejects(verify({ file: other }), /other\.json: vault is missing or malformed/);
    assert.equal(existsSync(out), true);
  });

  async function failsAt(target: VerifyTarget, name: string, found: RegExp) {
    const { holds, checks } = await verify(target);
    assert.equal(holds, false);
    assert.equal(checks.at(-1)?.name, name);
    assert.match(checks.at(-1)!.found, found);
    assert.match(lines.at(-2)!, /^FAIL /);
    assert.match(lines.at(-1)!, /^NOT VERIFIED: this is not the vault/);
  }

  /** A vault with exactly the right code, whose creation code did one SSTORE before it returned it. */
  async function backDoored(): Promise<{ vault: Address; txHash: Hex }> {
    const nonce = await chain.client.getTransactionCount({ address: stranger.address });
    const vault = getContractAddress({ from: stranger.address, nonce: BigInt(nonce) });
    const separator = domainSeparator({
      domain: { name: 'Venue Vault', version: '1', chainId: chain.chainId, verifyingContract: vault },
    });
    const { _cachedThis, _cachedDomainSeparator } = vaultArtifact.immutableReferences;
    let code = real;
    for (const { start } of _cachedThis!) code = splice(code, start, pad(vault));
    for (const { start } of _cachedDomainSeparator!) code = splice(code, start, separator);
    const length = numberToHex(size(code), { size: 2 }).slice(2);
    // sstore(4, 99), which is totalClaimed; codecopy(0, 19, length); return(0, length)
    const init: Hex = `0x606360045561${length}601360003961${length}6000f3`;
    assert.equal(size(init), 19);
    const data: Hex = `${init}${code.slice(2)}`;
    const txHash = await chain.wallet(stranger).sendTransaction({ data });
    await chain.client.waitForTransactionReceipt({ hash: txHash });
    return { vault, txHash };
  }

  /** Puts the real code on chain with one change. */
  async function patch(change: (code: Hex) => Hex): Promise<void> {
    await chain.client.setCode({ address: addresses.vault, bytecode: change(real) });
  }
});

function splice(code: Hex, start: number, bytes: Hex): Hex {
  const at = 2 + start * 2;
  return `${code.slice(0, at)}${bytes.slice(2)}${code.slice(at + bytes.length - 2)}` as Hex;
}

function flip(code: Hex, at: number): Hex {
  const byte = Number(slice(code, at, at + 1)) ^ 1;
  return splice(code, at, numberToHex(byte, { size: 1 }));
}
