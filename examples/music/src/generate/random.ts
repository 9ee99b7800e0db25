/** A seeded pseudorandom generator: the same seeds give the same values. */
export interface Random {
  /** Returns a whole number from 0 to less than the limit. */
  below(limit: number): number
  /** Returns a whole number, both ends included. */
  between(least: number, most: number): number
  /** Returns `true` with the probability of 1 in `times`. */
  onceIn(times: number): boolean
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item
  uuid(): string
}

/** @param seeds whole numbers */
export function randomFrom(...seeds: readonly number[]): Random {
  const next = mulberry32(seeds.reduce((state, seed) => mixed(state + seed), 0))
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

/** The generator Mulberry32: its state has 32 bits. */
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
