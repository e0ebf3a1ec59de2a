/** The trade's words, each in two sentences: the thing, and its meaning for the person who looks at it. */

export const GLOSSARY = {
  mark: 'The price at which the venue values a contract: the middle of its book, or its model’s. Equity and margin are computed from it, but nobody has to trade there.',
  delta:
    'How far the contract’s price moves when the underlying moves by $1. A call with 0.40 gains about 40 cents on a rise of a dollar.',
  gamma:
    'How far delta moves when the underlying moves by $1. A high gamma means that what you hold changes fast near its strike.',
  theta:
    'What a day costs or brings if nothing else moves; on the last day, what passes until expiry. Below zero for what you have bought, above for what you have sold.',
  vega: 'What a rise of implied volatility by one point brings. Above zero for what you have bought, below for what you have sold.',
  'implied volatility':
    'The yearly movement of the underlying at which a model gives this price. High means that the market expects large moves, and that options cost more.',
  'volatility index':
    'The movement that options expect over the next 30 days, in percent a year, from all prices around the money. It rises when people pay more for protection.',
  'buying power':
    'What is left of the account for new orders, after what positions and resting orders lock. An order that needs more is refused.',
  equity:
    'What the account is worth: its cash, and its positions at their marks. It falls below the maintenance margin before the venue closes anything.',
  'unrealised P&L':
    'What the positions have gained or lost since they were opened, at their marks. It becomes cash when they are closed or settle.',
  'maintenance margin':
    'What equity must not fall below while shorts are open. If it does, the account is in a margin call, and the venue buys shorts back.',
  'greatest loss':
    'The most that this order can lose, at the worst price of the underlying, fees included. Legs of a later expiry count as if each settled at its own worst price.',
  'break-even':
    'A price of the underlying at the expiry at which the order neither gains nor loses. Beyond it the sign turns.',
  'chance of profit':
    'How likely option prices make a gain at the first expiry, read off the smile. It is what the market pays for, not a forecast.',
  locked:
    'Cash that is kept for positions and resting orders, so that they can always be paid. It comes back when they are closed or cancelled.',
  guard:
    'A promise to the venue that this page is there. When it is not renewed in time, because the page, the computer or the line is gone, the venue takes all resting orders off the books.',
  fee: 'What the venue takes for a fill, on top of its price. It is part of every total on this page.',
} as const;

export type GlossaryWord = keyof typeof GLOSSARY;
