/** The paper accounts of this browser: switch, rename, forget, add another, start over. */

import { type FormEvent, type ReactNode, useState } from 'react';
import { messageOf } from '../../basics/failure-words.ts';
import { shortAddress } from '../../basics/short-address.ts';
import { Fault } from '../../kit/SignIn.tsx';
import type { PaperAccount } from '../../session/paper-accounts.ts';
import { NAME_LENGTH_MAX, nextName, oldName } from '../../session/paper-names.ts';
import type { SignedIn } from '../../session/state.ts';
import { isSameAddress } from '../../session/wallets.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { usePapers } from '../../terminal/use-papers.ts';
import styles from './PaperAccounts.module.css';

/** The row, or the button under the list, that asks or is edited; null for none. */
type Asked =
  | { readonly what: 'rename' | 'forget'; readonly address: string }
  | { readonly what: 'over' | 'add' };

export function PaperAccounts({ session }: { readonly session: SignedIn }): ReactNode {
  const { sessions } = useTerminal();
  const { list: read, tell } = usePapers();
  const list = read ?? [];
  const [asked, setAsked] = useState<Asked | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  /** A refusal of the browser's storage has to be seen, and changes nothing. */
  const run = (act: Promise<unknown>) => {
    setAsked(null);
    setFault(null);
    act.then(tell, (error: unknown) => setFault(`It was not done: ${messageOf(error)}.`));
  };
  const isAsked = (what: Asked['what'], address: string) =>
    asked !== null && asked.what === what && 'address' in asked && asked.address === address;
  const isInUse = (one: PaperAccount) =>
    session.address !== null && isSameAddress(one.address, session.address);
  const inUse = list.find(isInUse);
  return (
    <section className={styles.papers} aria-label="Paper accounts">
      <ul>
        {list.map((one) => (
          <li key={one.address}>
            {isAsked('rename', one.address) ? (
              <NameForm
                label={`New name of ${one.name}`}
                name={one.name}
                yes="Save"
                onName={(name) => run(sessions.papers.rename(one.address, name).then(assertNamed))}
                onEnd={() => setAsked(null)}
              />
            ) : (
              <Row
                account={one}
                isInUse={isInUse(one)}
                onAsk={setAsked}
                onSwitch={() => run(sessions.switchTo(one.address))}
              />
            )}
            {isAsked('forget', one.address) && (
              <Question
                text={`${one.name}’s key is deleted from this browser. Unless you have kept it elsewhere, the account is lost permanently.`}
                yes={`Forget ${one.name}`}
                onYes={() => run(sessions.forgetPaper(one.address))}
                onNo={() => setAsked(null)}
              />
            )}
          </li>
        ))}
      </ul>
      <ListFoot {...{ list, inUse, asked, run }} onAsk={setAsked} />
      {inUse?.isKept === false && (
        <p className="warning">
          The browser has no room for {inUse.name}: keep its key before you close this page.
        </p>
      )}
      <Fault text={fault} />
    </section>
  );
}

interface ListFootProps {
  readonly list: readonly PaperAccount[];
  readonly inUse: PaperAccount | undefined;
  readonly asked: Asked | null;
  readonly onAsk: (asked: Asked | null) => void;
  readonly run: (act: Promise<unknown>) => void;
}

/** Adds an account, or starts over with the one in use. */
function ListFoot({ list, inUse, asked, onAsk, run }: ListFootProps): ReactNode {
  const { sessions } = useTerminal();
  const names = list.map(({ name }) => name);
  if (asked?.what === 'over' && inUse !== undefined)
    return (
      <StartOver
        name={inUse.name}
        oldName={oldName(inUse.name, names)}
        onYes={() => run(sessions.startOver())}
        onNo={() => onAsk(null)}
      />
    );
  if (asked?.what === 'add')
    return (
      <NameForm
        label="Name of the new account"
        name={nextName(names)}
        yes="Add"
        onName={(name) => run(sessions.approveThrowAway(undefined, { name }))}
        onEnd={() => onAsk(null)}
      />
    );
  return (
    <p className="acts">
      <button type="button" onClick={() => onAsk({ what: 'add' })}>
        Add another…
      </button>
      {inUse !== undefined && (
        <button type="button" onClick={() => onAsk({ what: 'over' })}>
          Start over…
        </button>
      )}
    </p>
  );
}

function assertNamed(isNamed: boolean): void {
  if (!isNamed) throw new Error('a name needs a character that can be seen');
}

interface RowProps {
  readonly account: PaperAccount;
  readonly isInUse: boolean;
  readonly onAsk: (asked: Asked) => void;
  readonly onSwitch: () => void;
}

function Row({ account: { address, name }, isInUse, onAsk, onSwitch }: RowProps): ReactNode {
  return (
    <div className={styles.row}>
      <button
        type="button"
        className={styles.switch}
        aria-current={isInUse}
        disabled={isInUse}
        onClick={onSwitch}
      >
        <strong>{name}</strong> <span className="muted">{isInUse ? 'in use' : shortAddress(address)}</span>
      </button>
      <button type="button" aria-label={`Rename ${name}`} onClick={() => onAsk({ what: 'rename', address })}>
        Rename
      </button>
      <button type="button" aria-label={`Forget ${name}`} onClick={() => onAsk({ what: 'forget', address })}>
        Forget…
      </button>
    </div>
  );
}

interface NameFormProps {
  readonly label: string;
  /** The name to begin with. */
  readonly name: string;
  readonly yes: string;
  readonly onName: (name: string) => void;
  readonly onEnd: () => void;
}

function NameForm({ label, name, yes, onName, onEnd }: NameFormProps): ReactNode {
  const [typed, setTyped] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(typed);
  };
  return (
    <form className={styles.row} onSubmit={submit}>
      <input
        aria-label={label}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        autoComplete="off"
        maxLength={NAME_LENGTH_MAX}
        value={typed}
        onFocus={({ target }) => target.select()}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit">{yes}</button>
      <button type="button" onClick={onEnd}>
        Leave it
      </button>
    </form>
  );
}

interface StartOverProps {
  readonly name: string;
  readonly oldName: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Open positions stay with the account they belong to. */
function StartOver({ name, oldName: old, onYes, onNo }: StartOverProps): ReactNode {
  const { stores } = useTerminal();
  const account = useStore(stores.holdings, (holdings) => holdings.account);
  const open = (account?.positions.length ?? 0) + (account?.openOrderCount ?? 0);
  const stays = `The present one stays in the list as “${old}”${open > 0 ? ', with its open positions and orders' : ''}.`;
  return (
    <Question
      text={`A new account with fresh cash takes the name ${name}. ${stays}`}
      yes="Start over"
      onYes={onYes}
      onNo={onNo}
    />
  );
}

interface QuestionProps {
  readonly text: string;
  readonly yes: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

function Question({ text, yes, onYes, onNo }: QuestionProps): ReactNode {
  return (
    <div className={styles.question}>
      <p role="status">{text}</p>
      <p className="acts">
        {/* biome-ignore lint/a11y/noAutofocus: the safe answer, in place of the button that was pressed */}
        <button type="button" autoFocus onClick={onNo}>
          Leave it
        </button>
        <button type="button" className={styles.danger} onClick={onYes}>
          {yes}
        </button>
      </p>
    </div>
  );
}
