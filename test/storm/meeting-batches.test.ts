import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'
import { batchType } from './kept-batches.js'
import { type MusicPlace, musicPlaces } from './places.js'
import { type Serving, serving } from './serving.js'

/** Two processes serve one database: of batches that change the same rows, in whatever order, each is whole. */

const script = 'test/storm/batches-process.ts'
const keys = Array.from({ length: 8 }, (_, index) => String(index + 1))

let built: BuiltPackage
beforeAll(() => {
  built = builtPackage([script])
})
afterAll(() => built.remove())

/** Gives tracks the number of the batch, one after the other, and adds some that have it, too. */
function operations(number: number): readonly object[] {
  const ordered = number % 2 === 0 ? keys : keys.toReversed()
  const attributes = { title: `By ${number}`, seconds: number }
  const change = (id: string): object => ({ op: 'update', data: { type: 'tracks', id, attributes } })
  const addition = { op: 'add', data: { type: 'tracks', attributes: { ...attributes, plays: 0 } } }
  return [...ordered.slice(0, 4).map(change), addition, addition, addition, ...ordered.slice(4).map(change)]
}

describe.each(musicPlaces)('Two servers of one database on %s', (_name, open) => {
  let opened: MusicPlace
  let servers: readonly Serving[] = []

  beforeAll(async () => {
    opened = await open(20)
    await opened.music.rows('update tracks set plays = 0 returning id')
    servers = await Promise.all([1, 2].map(() => serving(built.pathOf(script), opened.place)))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await opened.remove()
  })

  async function send(number: number): Promise<{ readonly status: number; readonly codes: readonly unknown[] }> {
    const response = await fetch(`${servers[number % 3 === 0 ? 0 : 1]?.url ?? ''}/operations`, {
      method: 'POST',
      headers: { 'Content-Type': batchType, Accept: batchType },
      body: JSON.stringify({ 'atomic:operations': operations(number) }),
    })
    const { errors = [] } = (await response.json()) as { readonly errors?: readonly { readonly code?: string }[] }
    return { status: response.status, codes: errors.map(({ code }) => code) }
  }

  test('keep batches that take the same rows in opposite orders as a whole, or refuse them in so many words', async () => {
    const numbers = Array.from({ length: 16 }, (_, index) => 1000 + index)
    const answers = await Promise.all(numbers.map(send))
    const kept = numbers.filter((_, index) => answers[index]?.status === 200)
    const others = answers.filter(({ status }) => status !== 200)
    expect(kept.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual({ status: 503, codes: ['STORE_UNAVAILABLE'] })

    const changed = await opened.music.rows(
      `select distinct title, seconds, plays from tracks where id in (${keys.join(', ')})`,
    )
    // Whoever came last has all of them, and everybody who was kept has changed each.
    expect(changed).toHaveLength(1)
    expect(kept.map((number) => `By ${number}`)).toContain(changed[0]?.['title'])
    expect(Number(changed[0]?.['plays'])).toBe(kept.length)
    const added = await opened.music.rows(
      `select seconds as number, count(*) as rows from tracks where id > 20 group by seconds order by seconds`,
    )
    expect(added.map(({ number, rows }) => [Number(number), Number(rows)])).toEqual(kept.map((each) => [each, 3]))
  }, 60_000)
})
