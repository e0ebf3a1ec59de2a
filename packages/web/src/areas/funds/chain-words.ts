/** Translates errors of wallets and chains into helpful messages. */

const DECLINED = 4001;
const UNKNOWN_CHAIN = 4902;
const BUSY = -32002;

/** Null where the person declined, which is not an error. */
export function chainFault(error: unknown): string | null {
  const chain = causes(error);
  const codes = chain.map(({ code }) => code);
  if (codes.includes(DECLINED)) return null;
  if (codes.includes(UNKNOWN_CHAIN))
    return 'Your wallet does not know this chain. Add it there, then try again.';
  if (codes.includes(BUSY)) return 'Your wallet is already waiting for you: open it and answer there.';
  const text = chain.map(({ message = '' }) => message).join('\n');
  if (/insufficient funds|exceeds the balance of the account/i.test(text))
    return 'Your wallet has too little of the chain’s own coin to pay the gas.';
  if (/NothingToClaim/.test(text)) return 'Nothing is set aside for your wallet right now.';
  if (/insufficient allowance|ERC20InsufficientAllowance/i.test(text))
    return 'The vault is not allowed to take that much. Allow it first.';
  if (/transfer amount exceeds balance|ERC20InsufficientBalance/i.test(text))
    return 'Your wallet has fewer tokens than that.';
  return firstLine(chain[0]?.message) ?? 'Your wallet could not do it, and does not say why.';
}

interface ErrorLike {
  readonly code?: unknown;
  readonly message?: string;
  readonly cause?: unknown;
}

const DEPTH_MAX = 8;

/** An error followed by its chain of causes. */
function causes(error: unknown): ErrorLike[] {
  const found: ErrorLike[] = [];
  for (let one = error; typeof one === 'object' && one !== null && found.length < DEPTH_MAX; ) {
    found.push(one as ErrorLike);
    one = (one as ErrorLike).cause ?? (one as { data?: { originalError?: unknown } }).data?.originalError;
  }
  return found;
}

function firstLine(message: string | undefined): string | undefined {
  return message?.split('\n').find((line) => line.trim() !== '');
}
