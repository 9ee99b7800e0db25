import { describe, expect, test } from 'vitest'
import { callers, musicServices } from '../support/music-service.js'
import { expectErrors } from 'ashlar/testing'

describe.each(musicServices)('the catalogue on %s', (_engine, open) => {
  const music = open()

  test('has the number and the rating of albums by year', async () => {
    const { resources } = await music.api.get('/albums/-aggregates/by-year', { caller: callers.alice })
    expect(resources.map(({ attributes }) => attributes)).toEqual([
      { year: 1959, albums: 1, rating: null },
      { year: 1997, albums: 2, rating: 4.8 },
      { year: 2000, albums: 1, rating: 4.6 },
    ])
  })

  test('has the artists with most albums', async () => {
    const path = '/albums/-aggregates/by-artist?filter[artist.name]=Radiohead&sort=-albums&include=artist'
    const { resources, document } = await music.api.get(path, { caller: callers.alice })
    expect(resources.map(({ attributes }) => attributes)).toEqual([{ albums: 2, latest: '2000-10-02T00:00:00+00:00' }])
    expect(document?.included?.map(({ attributes }) => attributes?.['name'])).toEqual(['Radiohead'])
  })

  test('shows no aggregates of albums without a token', async () => {
    expectErrors(await music.api.get('/albums/-aggregates/by-year', { caller: null }), [{ status: 401 }])
  })
})
