import { atomic, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { add, batchClient, linked } from '../atomic/batch-client.js'

/** Generous: the slowest of these took tens of seconds before they were bounded, and less than one after. */
const soon = 5000

/** Far below what was sent, and enough for as many errors as are told. */
const small = 64 * 1024

const mebibyte = 1024 * 1024

interface ArtistRow {
  id: number
  name: string
}

interface AlbumRow {
  id: number
  title: string
  artistId: number | null
}

async function timed(operations: readonly object[], limits: object = {}): Promise<TestResponse> {
  const artists = defineResource('artists', {
    model: model<ArtistRow>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { albums: hasMany('albums') },
  })
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { artist: belongsTo('artists').nullable() },
  })
  const data = memoryData({ artists: [{ id: 1, name: 'Alice' }] })
  const server = createServer({ resources: [artists, albums] as never, data, limits, extensions: [atomic()] })
  const start = performance.now()
  const response = await batchClient(server).batch(operations)
  expect(performance.now() - start).toBeLessThan(soon)
  return response
}

const named = (lid: string) => ({ type: 'albums', lid })
const many = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_each, index) => item(index))
const album = (others: object = {}) => add('albums', { title: 'x' }, others)

describe('the names in a batch cost no more than they are long', () => {
  // A tilde is two characters in a pointer.
  test.each(['r', '~'])('under a long name of a relation that is none: %s', async (letter) => {
    const relationships = { [letter.repeat(500_000)]: linked(many(15_000, () => named('a'))) }
    const response = await timed([album({ lid: 'a' }), album({ relationships })])
    expect(response.status).toBe(200)
    expect(response.text.length).toBeLessThan(small)
  })

  test.each(['r', '~'])('nor where they mean nothing: %s', async (letter) => {
    const relationships = { [letter.repeat(900_000)]: linked(many(100, () => named('nobody'))) }
    const response = await timed([album({ relationships })])
    expect(response.status).toBe(200)
    expect(response.text.length).toBeLessThan(small)
  })

  test('nor under a relation that there is, where they mean nothing', async () => {
    const relationships = { albums: linked(many(15_000, (index) => named(`nobody ${index}`))) }
    const response = await timed([add('artists', { name: 'Bob' }, { relationships })])
    expectErrors(
      response,
      many(100, (index) => ({
        status: 400,
        code: 'LOCAL_ID_NOT_FOUND',
        pointer: `/atomic:operations/0/data/relationships/albums/data/${index}/lid`,
      })),
    )
    expect(response.text.length).toBeLessThan(small)
  })

  test('nor do many members of many resources', async () => {
    const relationships = { albums: linked(many(30, () => named('a'))) }
    const operations = [album({ lid: 'a' }), ...many(900, () => add('artists', { name: 'Bob' }, { relationships }))]
    expect(JSON.stringify(operations).length).toBeLessThan(mebibyte)
    expect((await timed(operations)).status).toBe(200)
  })
})

// More than a function takes as its parameters, wherever it is called from.
test.each([100, 7])('of a long list of what is no identifier, %i are told', async (errors) => {
  const ref = { type: 'artists', id: '1', relationship: 'albums' }
  const limits = { errors, bodyBytes: 4 * mebibyte }
  const response = await timed([{ op: 'add', ref, data: many(1_500_000, () => 0) }], limits)
  expectErrors(
    response,
    many(errors, (index) => ({
      status: 400,
      code: 'REQUEST_BODY_INVALID_JSON_API',
      pointer: `/atomic:operations/0/data/${index}`,
    })),
  )
})
