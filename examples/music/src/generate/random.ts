/** Numbers that look random, and are the same whenever they start from the same ones. */
export interface Random {
  /** A whole number from 0 on, less than the limit. */
  below(limit: number): number
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** Whether something happens that does so once in so many times. */
  onceIn(times: number): boolean
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item
  uuid(): string
}

/** @param origins whole numbers, each of which changes everything that follows */
export function randomFrom(...origins: readonly number[]): Random {
  const next = mulberry32(origins.reduce((state, origin) => mixed(state + origin), 0))
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit)
  const hex = (): string => next().toString(16).padStart(8, '0')
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    onceIn: (times) => below(times) === 0,
    oneOf: (items) => items[below(items.length)] ?? items[0],
    uuid() {
      const digits = hex() + hex() + hex() + hex()
      const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
      return `${parts.join('-')}-${digits.slice(20)}`
    },
  }
}

/** The generator of that name: a state of 32 bits that goes on by the same step, and is well stirred for every number. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    return mixed(state)
  }
}

function mixed(state: number): number {
  const once = Math.imul(state ^ (state >>> 15), state | 1)
  const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
  return (twice ^ (twice >>> 14)) >>> 0
}
