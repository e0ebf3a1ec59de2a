/** The trade's words, each in two sentences: what it is, and what it means for whoever looks at it. */

export const GLOSSARY = {
  mark: 'The price at which the venue values a contract: the middle of its book, or its model’s. Equity and margin are reckoned at it, but nobody has to trade there.',
  delta:
    'How far the contract’s price moves when the underlying moves by $1. A call with 0.40 gains about 40 cents on a rise of a dollar.',
  'implied volatility':
    'The yearly movement of the underlying at which a model gives this price. High means that the market expects large moves, and that options cost more.',
  'volatility index':
    'The movement that options expect over the next 30 days, in percent a year, from all prices around the money. It rises when people pay more for protection.',
  'buying power':
    'What is left of the account for new orders, after what positions and resting orders lock. An order that needs more is refused.',
  locked:
    'Cash that is kept for positions and resting orders, so that they can always be paid. It comes back when they are closed or cancelled.',
  guard:
    'A promise to the venue that this page is there. When it is not renewed in time, because the page, the computer or the line is gone, the venue takes all resting orders off the books.',
  fee: 'What the venue takes for a fill, on top of its price. It is part of every total on this page.',
} as const;

export type GlossaryWord = keyof typeof GLOSSARY;
