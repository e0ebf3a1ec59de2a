/** Money and quantity: integer micros (1e-6) in safe integers, with exact multiplication and division. */

declare const micros: unique symbol;
/** Millionths of a dollar or of a contract, always a safe integer (NUM-1). */
export type Micros = number & { readonly [micros]: true };

export const MICROS_PER_UNIT = 1_000_000;
export const MICROS_MAX = Number.MAX_SAFE_INTEGER;

/** A result left the range of exact integers. Nothing is ever rounded into that range. */
export class UnitsOverflowError extends RangeError {
  override name = 'UnitsOverflowError';
}

/** Brands a safe integer as micros; throws `UnitsOverflowError` for anything else. */
export function toMicros(value: number): Micros {
  if (!Number.isSafeInteger(value)) throw new UnitsOverflowError(`not a safe integer: ${value}`);
  return value as Micros;
}

export const ZERO = 0 as Micros;

/**
 * Converts a wire decimal to micros; undefined if it is not exactly representable (NUM-2). Inverse of `microsToDecimal`
 * below 2^32 units; above that, doubles are too coarse for every micro.
 *
 * @example decimalToMicros(1.005) // 1005000
 * @example decimalToMicros(0.0000001) // undefined
 */
export function decimalToMicros(decimal: number): Micros | undefined {
  const scaled = Math.round(decimal * MICROS_PER_UNIT);
  if (!Number.isSafeInteger(scaled) || scaled / MICROS_PER_UNIT !== decimal) return undefined;
  return (scaled === 0 ? 0 : scaled) as Micros;
}

/** Converts micros to a wire decimal. */
export function microsToDecimal(amount: Micros): number {
  return amount / MICROS_PER_UNIT;
}

/**
 * floor(a x b / divisor), exact for any safe integers, rounding towards minus infinity. The divisor must be positive.
 * Throws `UnitsOverflowError` past 2^53-1 (NUM-1).
 *
 * @example mulDivFloor(5e9, 1e9, 1e6) // 5000000000000
 */
export function mulDivFloor(a: number, b: number, divisor: number): Micros {
  const product = a * b;
  if (product <= MICROS_MAX && product >= -MICROS_MAX) {
    // The floating-point quotient may have been rounded up to the next whole number; it is never too small.
    const quotient = Math.floor(product / divisor);
    return (quotient * divisor > product ? quotient - 1 : quotient + 0) as Micros;
  }
  const exact = BigInt(a) * BigInt(b);
  const over = BigInt(divisor);
  const quotient = exact / over;
  return checked(exact % over < 0n ? quotient - 1n : quotient);
}

/** ceil(a x b / divisor), exact for any safe integers; throws `UnitsOverflowError` past 2^53-1 (NUM-1). */
export function mulDivCeil(a: number, b: number, divisor: number): Micros {
  return (0 - mulDivFloor(0 - a, b, divisor)) as Micros;
}

function checked(value: bigint): Micros {
  if (value > BigInt(MICROS_MAX) || value < -BigInt(MICROS_MAX)) {
    throw new UnitsOverflowError(`outside the exact range: ${value}`);
  }
  return Number(value) as Micros;
}

/** a + b, throwing `UnitsOverflowError` when the sum is no longer exact. */
export function add(a: Micros, b: Micros): Micros {
  return toMicros(a + b);
}

/** a - b, throwing `UnitsOverflowError` when the difference is no longer exact. */
export function subtract(a: Micros, b: Micros): Micros {
  return toMicros(a - b);
}

/** Two decimals for messages, rounded half away from zero on the exact integer (OWN-32): 1234567 gives `1.23`. */
export function formatCents(amount: Micros): string {
  const cents = Math.floor((Math.abs(amount) + 5_000) / 10_000);
  const sign = amount < 0 && cents > 0 ? '-' : '';
  return `${sign}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** The nearest amount in the exact range: for amounts that are shown and compared, never moved. */
export function clampMicros(value: number): Micros {
  return Math.min(Math.max(value, -MICROS_MAX), MICROS_MAX) as Micros;
}

/** floor(a x b / divisor), clamped to the exact range: for amounts that are compared, never moved. */
export function mulDivFloorClamped(a: number, b: number, divisor: number): Micros {
  if (Number.isSafeInteger(a * b)) return mulDivFloor(a, b, divisor);
  return new ExactSum().addMulDivFloor(a, b, divisor).clamped();
}

/** ceil(a x b / divisor), clamped to the exact range: for amounts that are compared, never moved. */
export function mulDivCeilClamped(a: number, b: number, divisor: number): Micros {
  return clampMicros(0 - mulDivFloorClamped(0 - a, b, divisor));
}

/**
 * A sum that stays exact however far it leaves the range of safe integers. Quoting accounts set the marks, so a sum
 * over positions can leave that range at any time without an error anywhere.
 *
 * @example new ExactSum().add(cash).addMulDivFloor(qty, mark, 1e6).clamped()
 */
export class ExactSum {
  #near = 0;
  #far = 0n;

  /** Adds a safe integer, or any bigint. */
  add(value: number | bigint): this {
    if (typeof value === 'bigint') {
      this.#far += value;
      return this;
    }
    const sum = this.#near + value;
    if (Number.isSafeInteger(sum)) {
      this.#near = sum;
    } else {
      this.#far += BigInt(this.#near) + BigInt(value);
      this.#near = 0;
    }
    return this;
  }

  /** Adds floor(a x b / divisor). */
  addMulDivFloor(a: number, b: number, divisor: number): this {
    if (Number.isSafeInteger(a * b)) return this.add(mulDivFloor(a, b, divisor));
    const product = BigInt(a) * BigInt(b);
    const over = BigInt(divisor);
    this.#far += product / over - (product % over < 0n ? 1n : 0n);
    return this;
  }

  addSum(other: ExactSum): this {
    this.#far += other.#far;
    return this.add(other.#near);
  }

  exact(): bigint {
    return this.#far + BigInt(this.#near);
  }

  /** The sum, clamped to the exact range. */
  clamped(): Micros {
    if (this.#far === 0n) return clampMicros(this.#near);
    const sum = this.exact();
    const max = BigInt(MICROS_MAX);
    return Number(sum > max ? max : sum < -max ? -max : sum) as Micros;
  }
}

/**
 * A sum of products, exact to the last digit however large: quantities times prices before anything is rounded. What
 * ordinary amounts come to stays in doubles, where a product alone would already leave their exact range.
 *
 * @example new ProductSum().add(qtyMicros, strikeMicros).add(otherQtyMicros, unitMicros).ceil()
 */
export class ProductSum {
  /** Micros. */
  #whole = 0;
  /** Millionths of a micro, below a million. */
  #part = 0;
  /** The part that doubles cannot hold exactly, in millionths of a micro. */
  #far = 0n;

  clear(): this {
    this.#whole = 0;
    this.#part = 0;
    this.#far = 0n;
    return this;
  }

  /** Adds a x b millionths of a micro: a quantity and a price in micros give a value in micros. Both are safe integers. */
  add(a: number, b: number): this {
    // Any split of an integer will do, so that a quotient rounded up to the next whole number does no harm.
    const aHigh = Math.floor(a / MICROS_PER_UNIT);
    const aLow = a - aHigh * MICROS_PER_UNIT;
    const bHigh = Math.floor(b / MICROS_PER_UNIT);
    const bLow = b - bHigh * MICROS_PER_UNIT;
    const high = aHigh * b;
    const low = aLow * bHigh;
    if (!(Number.isSafeInteger(high) && Number.isSafeInteger(low) && Number.isSafeInteger(high + low))) {
      this.#far += BigInt(a) * BigInt(b);
      return this;
    }
    return this.#put(high + low, aLow * bLow);
  }

  /** Adds a x b micros. Both are safe integers. */
  addWhole(a: number, b: number): this {
    const product = a * b;
    if (Number.isSafeInteger(product)) return this.#put(product, 0);
    this.#far += BigInt(a) * BigInt(b) * BigInt(MICROS_PER_UNIT);
    return this;
  }

  addSum(other: ProductSum): this {
    this.#far += other.#far;
    return this.#put(other.#whole, other.#part);
  }

  isBelow(other: ProductSum): boolean {
    if (this.#far !== other.#far) return this.#exact() < other.#exact();
    return this.#whole < other.#whole || (this.#whole === other.#whole && this.#part < other.#part);
  }

  /** In micros, rounded up. */
  ceil(): bigint | number {
    if (this.#far === 0n) return this.#part > 0 ? this.#whole + 1 : this.#whole;
    const exact = this.#exact();
    const million = BigInt(MICROS_PER_UNIT);
    return exact / million + (exact % million > 0n ? 1n : 0n);
  }

  #put(whole: number, part: number): this {
    const parts = this.#part + part;
    const carry = Math.floor(parts / MICROS_PER_UNIT);
    this.#part = parts - carry * MICROS_PER_UNIT;
    const sum = this.#whole + (whole + carry);
    if (Number.isSafeInteger(whole + carry) && Number.isSafeInteger(sum)) {
      this.#whole = sum;
    } else {
      this.#far += (BigInt(this.#whole) + BigInt(whole) + BigInt(carry)) * BigInt(MICROS_PER_UNIT);
      this.#whole = 0;
    }
    return this;
  }

  #exact(): bigint {
    return this.#far + BigInt(this.#whole) * BigInt(MICROS_PER_UNIT) + BigInt(this.#part);
  }
}
