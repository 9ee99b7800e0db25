/** A number as text. Longer ones are not compared: the time and the memory of a comparison grow with the digits. */
const decimal = /^\s*([+-]?)(\d{1,1000})(?:\.(\d{1,1000}))?(?:[eE]([+-]?\d{1,3}))?\s*$/

/** Returns a number with all its digits, as `compareDecimals` takes it; `null` for any other value. */
export function decimalText(value: unknown): string | null {
  switch (typeof value) {
    case 'bigint':
      return String(value)
    case 'number':
      if (!Number.isFinite(value)) return null
      // The text of a large double has zeros instead of its last digits.
      return Number.isInteger(value) ? String(BigInt(value)) : String(value)
    case 'string':
      return decimal.test(value) ? value : null
    default:
      return null
  }
}

/** Compares two numbers with all their digits: negative if the first one is smaller. */
export function compareDecimals(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)]
  const scale = Math.max(first.scale, second.scale)
  const difference = scaled(first, scale) - scaled(second, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** A number as a whole number, divided by a power of ten. */
interface Parts {
  readonly digits: bigint
  readonly scale: number
}

function partsOf(text: string): Parts {
  const [, sign, whole = '0', fraction = '', exponent = '0'] = decimal.exec(text) ?? []
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length - Number(exponent) }
}

function scaled({ digits, scale }: Parts, to: number): bigint {
  return digits * 10n ** BigInt(to - scale)
}

/** Returns the sum of numbers, with all its digits; other values count as 0. */
export function sumOfDecimals(values: readonly unknown[]): string {
  const parts = values.flatMap((value) => {
    const text = decimalText(value)
    return text === null ? [] : [partsOf(text)]
  })
  const scale = parts.reduce((most, each) => Math.max(most, each.scale), 0)
  const sum = parts.reduce((total, each) => total + scaled(each, scale), 0n)
  if (scale === 0) return String(sum)
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
