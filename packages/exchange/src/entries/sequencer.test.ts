import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Command,
  createState,
  encodeCommand,
  FEATURE_LEVELS,
  isRefused,
  NO_EFFECTS,
  type State,
  stateDigest,
} from '@venue/engine';
import { type Log, MemoryStore, openMemoryLog } from '@venue/log';
import { type Address, MESSAGES } from '@venue/protocol';
import { loadConfig } from '../config.ts';
import { explain } from '../explain.ts';
import { submit } from '../http/services.ts';
import type { ConfigurationChange } from './applier.ts';
import { Sequencer } from './sequencer.ts';

const { parameters } = loadConfig({});
const CONFIGURE = { kind: 'configure', parameters } as const satisfies Command;
const ALICE = `0x${'a1'.repeat(20)}` as Address;

interface Node {
  readonly log: Log;
  readonly state: State;
  readonly sequencer: Sequencer;
  readonly fatal: Error[];
}

async function startNode(
  store: MemoryStore,
  skipSeqs = new Set<number>(),
  { effects = NO_EFFECTS, state = createState() } = {},
): Promise<Node> {
  const log = await openMemoryLog({ store });
  const fatal: Error[] = [];
  const sequencer = new Sequencer({ log, state, effects, skipSeqs, onFatal: (error) => fatal.push(error) });
  return { log, state, sequencer, fatal };
}

describe('the sequencer', () => {
  it('answers from the state right after an entry, though later ones are in the same batch', async () => {
    const { sequencer, state } = await startNode(new MemoryStore());
    await sequencer.replay();
    await sequencer.submit(CONFIGURE, () => {});
    const seen = await Promise.all(
      [1, 2, 3].map((n) =>
        sequencer.submit({ kind: 'open', address: `0x${`0${n}`.repeat(20)}` as Address }, (outcome) => {
          assert.ok(!isRefused(outcome));
          return [state.accounts.length, outcome.account.index];
        }),
      ),
    );
    assert.deepEqual(seen, [
      [4, 3],
      [5, 4],
      [6, 5],
    ]);
  });

  it('rebuilds the same state from the log, without effects', async () => {
    const store = new MemoryStore();
    const first = await startNode(store);
    await first.sequencer.replay();
    await first.sequencer.submit(CONFIGURE, () => {});
    await first.sequencer.submit({ kind: 'open', address: ALICE }, () => {});
    await first.log.close();
    let changes = 0;
    const effects = { ...NO_EFFECTS, accountChanged: () => (changes += 1) };
    const second = await startNode(store, new Set(), { effects });
    assert.equal(await second.sequencer.replay(), 2);
    assert.equal(stateDigest(second.state), stateDigest(first.state));
    assert.equal(changes, 0);
    await second.sequencer.submit({ kind: 'open', address: `0x${'b2'.repeat(20)}` as Address }, () => {});
    assert.equal(changes, 1);
  });

  it('reports a configuration that another node appends, but none that it replays (FINE-4)', async () => {
    const store = new MemoryStore();
    const log = await openMemoryLog({ store });
    await log.append([{ kind: CONFIGURE.kind, body: encodeCommand(CONFIGURE) }]);
    const changes: ConfigurationChange[] = [];
    const sequencer = new Sequencer({
      log,
      state: createState(),
      effects: NO_EFFECTS,
      skipSeqs: new Set(),
      onConfigured: (change) => changes.push(change),
      onFatal: assert.fail,
    });
    await sequencer.replay();
    assert.deepEqual(changes, []);
    const other = { ...CONFIGURE, parameters: { ...parameters, strikesPerSide: 3 } };
    await log.append([{ kind: other.kind, body: encodeCommand(other) }]);
    assert.deepEqual(changes, [{ seq: 2, before: parameters, after: other.parameters }]);
  });

  it('stops at an entry it cannot apply and names it, and skips those that the operator names', async () => {
    const store = new MemoryStore();
    const before = await openMemoryLog({ store });
    await before.append([
      { kind: CONFIGURE.kind, body: encodeCommand(CONFIGURE) },
      {
        kind: 'configure',
        body: Buffer.from(JSON.stringify({ parameters: { ...parameters, symbols: null } })),
      },
      { kind: 'open', body: encodeCommand({ kind: 'open', address: ALICE }) },
    ]);
    await before.close();
    const stopped = await startNode(store);
    await assert.rejects(
      stopped.sequencer.replay(),
      /^Error: entry 2 \(configure\) cannot be applied: .*; VENUE_SKIP_SEQ=2 starts without it$/,
    );
    assert.match(stopped.fatal[0]?.message ?? '', /entry 2/);
    await assert.rejects(
      stopped.sequencer.submit({ kind: 'open', address: ALICE }, () => {}),
      /entry 2/,
    );
    const skipped = await startNode(store, new Set([2]));
    assert.equal(await skipped.sequencer.replay(), 3);
    assert.ok(skipped.state.accountByAddress.has(ALICE));
  });

  it('stops at an entry of a newer release, which cannot be skipped (OWN-72)', async () => {
    const open = encodeCommand({ kind: 'open', address: ALICE });
    const odd = Buffer.from(`{"address":"${ALICE}","name":"Alice"}`);
    for (const [kind, body] of [['of-the-future', open] as const, ['open', odd] as const]) {
      const store = new MemoryStore();
      const before = await openMemoryLog({ store });
      await before.append([
        { kind: CONFIGURE.kind, body: encodeCommand(CONFIGURE) },
        { kind, body },
      ]);
      await before.close();
      for (const skipped of [[], [2]]) {
        const { sequencer, fatal } = await startNode(store, new Set(skipped));
        await assert.rejects(sequencer.replay(), { name: 'NewerLogError' });
        assert.match(
          explain(fatal[0]),
          new RegExp(`^entry 2 \\(${kind}\\) was written by a newer release; upgrade this node .*$`),
        );
      }
    }
  });

  it('appends no kind of entry that needs a higher feature level than the one in force (OWN-72)', async () => {
    const next = createState([...FEATURE_LEVELS, { kinds: ['sign-in'] }]);
    const { sequencer, state, log } = await startNode(new MemoryStore(), new Set(), { state: next });
    await sequencer.replay();
    await sequencer.submit(CONFIGURE, () => {});
    const command = { kind: 'sign-in', address: ALICE, after: 0, signed: true } as const;
    await assert.rejects(
      sequencer.submit(command, () => {}),
      /entries of kind sign-in need feature level 2, and 1 is in force/,
    );
    assert.throws(() => submit({ sequencer, state }, command, () => {}), {
      refusal: MESSAGES.notYetUpgraded,
      message: 'not before every node of the venue is upgraded',
    });
    assert.equal((await log.head()).seq, 1);
    await sequencer.submit({ kind: 'configure', parameters: { version: 2 } }, () => {});
    await submit({ sequencer, state }, command, ({ opened }) => assert.ok(opened));
  });

  it('refuses to skip an entry that the engine can apply', async () => {
    const store = new MemoryStore();
    const first = await startNode(store);
    await first.sequencer.replay();
    await first.sequencer.submit(CONFIGURE, () => null);
    await first.sequencer.submit({ kind: 'open', address: ALICE }, () => null);
    const second = await startNode(store, new Set([2]));
    await assert.rejects(second.sequencer.replay(), /entry 2 \(open\) can be applied; VENUE_SKIP_SEQ/);
  });

  it('never skips a new command, whatever its number will be', async () => {
    const node = await startNode(new MemoryStore(), new Set([1]));
    await node.sequencer.replay();
    await node.sequencer.submit(CONFIGURE, () => null);
    assert.notEqual(node.state.parameters, null);
  });

  it('fails only the answer that cannot be made', async () => {
    const { sequencer, fatal } = await startNode(new MemoryStore());
    await sequencer.replay();
    const broken = sequencer.submit(CONFIGURE, () => {
      throw new Error('no view');
    });
    await assert.rejects(broken, /no view/);
    await sequencer.submit({ kind: 'open', address: ALICE }, () => {});
    assert.deepEqual(fatal, []);
  });

  it('rejects commands submitted after the log was closed', async () => {
    const { sequencer, log } = await startNode(new MemoryStore());
    await sequencer.replay();
    await log.close();
    await assert.rejects(
      sequencer.submit(CONFIGURE, () => {}),
      /closed/,
    );
  });
});
