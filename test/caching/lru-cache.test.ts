import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lruCache } from '../../src/core/util/lru-cache.js'
import { sealed } from '../../src/core/util/sealed.js'

describe('an LRU cache', () => {
  test('drops the least recently used entry', () => {
    const cache = lruCache<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    expect(cache.get('a')).toBe(1)
    cache.set('c', 3)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  })

  test('has one entry for a key that is set again, with its last value', () => {
    const cache = lruCache<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('a', 3)
    expect([cache.get('a'), cache.get('b')]).toEqual([3, 2])
    cache.set('c', 4)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 2, 4])
  })

  test('computes a value once, and again after it was dropped', () => {
    const cache = lruCache<string, number>(2)
    let made = 0
    const obtain = (key: string): number => cache.getOrCreate(key, () => (made += 1))
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(obtain)).toEqual([1, 2, 1, 3, 1, 4])
  })

  test('holds what a list in the order of use would hold', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), value: fc.option(fc.nat(9)) })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
        const cache = lruCache<string, number>(size)
        let expected: readonly (readonly [key: string, value: number])[] = []
        let [hits, misses] = [0, 0]
        for (const { key, value } of steps) {
          const found = expected.find(([other]) => other === key)
          const used = value === null ? found : ([key, value] as const)
          if (value === null) expect(cache.get(key)).toBe(found?.[1])
          else cache.set(key, value)
          if (value === null && found !== undefined) hits += 1
          if (value === null && found === undefined) misses += 1
          const others = expected.filter(([other]) => other !== key)
          if (used !== undefined) expected = [...others, used].slice(size === 0 ? 1 : -size)
          expect(cache.state()).toEqual({ entries: expected.length, capacity: size, hits, misses })
        }
      }),
    )
  })
})

describe('a sealed collection', () => {
  const changes = [
    ['a map', () => sealed(new Map([['a', 1]])), (map: Map<string, number>) => map.set('b', 2)],
    ['a map', () => sealed(new Map([['a', 1]])), (map: Map<string, number>) => map.delete('a')],
    ['a map', () => sealed(new Map([['a', 1]])), (map: Map<string, number>) => map.clear()],
    ['a set', () => sealed(new Set(['a'])), (set: Set<string>) => set.add('b')],
    ['a set', () => sealed(new Set(['a'])), (set: Set<string>) => set.delete('a')],
    ['a set', () => sealed(new Set(['a'])), (set: Set<string>) => set.clear()],
  ] as const

  test.each(changes)('refuses to be changed: %s', (_name, make, change) => {
    const collection = make()
    const before = [...collection]
    expect(() => change(collection as never)).toThrow(TypeError)
    expect([...collection]).toEqual(before)
  })

  test('takes no own properties, and cannot be unsealed', () => {
    const map = sealed(new Map([['a', 1]]))
    expect(() => Object.assign(map, { get: () => 2 })).toThrow(TypeError)
    expect(() => Object.defineProperty(map, 'set', { value: () => map })).toThrow(TypeError)
    expect(sealed(map)).toBe(map)
    expect(map.get('a')).toBe(1)
  })

  test('is read as before, and a copy can be changed', () => {
    const map = sealed(new Map([['a', 1]]))
    expect([map.size, map.has('a'), [...map.keys()]]).toEqual([1, true, ['a']])
    expect([...new Map(map).set('b', 2)]).toHaveLength(2)
    expect(new Set(sealed(new Set([1]))).add(2).size).toBe(2)
  })
})
