import { atomic, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { add, type BatchClient, batchClient, linked } from '../atomic/batch-client.js'
import { expectLinear, type Sized } from '../support/growth.js'

/** Far below the size of the request, and enough for the reported errors. */
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

function shop(limits: object = {}): BatchClient {
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
  return batchClient(createServer({ resources: [artists, albums] as never, data, limits, extensions: [atomic()] }))
}

/** Sends a batch of a size, and checks the response. */
function sending(operations: (size: number) => readonly object[], look: (response: TestResponse) => void): Sized {
  return (size) => {
    const api = shop()
    const sent = operations(size)
    expect(JSON.stringify(sent).length).toBeLessThan(mebibyte)
    return async () => look(await api.batch(sent))
  }
}

const named = (lid: string) => ({ type: 'albums', lid })
const many = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_each, index) => item(index))
const album = (others: object = {}) => add('albums', { title: 'x' }, others)

function expectShortSuccess({ status, text }: TestResponse): void {
  expect(status).toBe(200)
  expect(text.length).toBeLessThan(small)
}

function unknownLids(size: number): readonly object[] {
  const relationships = { albums: linked(many(size, (index) => named(`nobody ${index}`))) }
  return [add('artists', { name: 'Bob' }, { relationships })]
}

function expectUnknownLids(response: TestResponse): void {
  expectErrors(
    response,
    many(100, (index) => ({
      status: 400,
      code: 'LOCAL_ID_NOT_FOUND',
      pointer: `/atomic:operations/0/data/relationships/albums/data/${index}/lid`,
    })),
  )
  expect(response.text.length).toBeLessThan(small)
}

function artistsOfAlbum(size: number): readonly object[] {
  const relationships = { albums: linked(many(30, () => named('a'))) }
  return [album({ lid: 'a' }), ...many(size, () => add('artists', { name: 'Bob' }, { relationships }))]
}

describe('the names in a batch cost linear time', () => {
  // A tilde is two characters in a pointer.
  test.each(['r', '~'])('under a long name of an unknown relation: %s', async (letter) => {
    const operations = (size: number): readonly object[] => {
      const relationships = { [letter.repeat(size * 30)]: linked(many(size, () => named('a'))) }
      return [album({ lid: 'a' }), album({ relationships })]
    }
    await expectLinear(sending(operations, expectShortSuccess), { small: 1500 })
  })

  test.each(['r', '~'])('also without meaning: %s', async (letter) => {
    const operations = (size: number): readonly object[] => {
      const relationships = { [letter.repeat(size * 100)]: linked(many(Math.ceil(size / 10), () => named('nobody'))) }
      return [album({ relationships })]
    }
    await expectLinear(sending(operations, expectShortSuccess), { small: 1000 })
  })

  test('also without meaning under a known relation', async () => {
    await expectLinear(sending(unknownLids, expectUnknownLids), { small: 1500 })
  })

  test('also with many members of many resources', async () => {
    await expectLinear(
      sending(artistsOfAlbum, ({ status }) => expect(status).toBe(200)),
      { small: 50 },
    )
  })
})

// More than a function takes as its parameters, wherever it is called from.
test.each([100, 7])('of a long list of invalid identifiers, %i are reported', async (errors) => {
  const ref = { type: 'artists', id: '1', relationship: 'albums' }
  const limits = { errors, bodyBytes: 4 * mebibyte }
  const response = await shop(limits).batch([{ op: 'add', ref, data: many(500_000, () => 0) }])
  expectErrors(
    response,
    many(errors, (index) => ({
      status: 400,
      code: 'REQUEST_BODY_INVALID_JSON_API',
      pointer: `/atomic:operations/0/data/${index}`,
    })),
  )
})
