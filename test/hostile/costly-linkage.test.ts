import { belongsToMany, createServer, hasMany } from 'ashlar'
import { expect, test } from 'vitest'
import { typeWith } from '../support/linkage-reader.js'
import { linkageWriter, some } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

/** Generous: the slowest of these took minutes before members were written at once, and seconds after. */
const soon = 5000

const keys = Array.from({ length: 6000 }, (_, index) => String(index + 1))

const resources = [
  typeWith('albums', {
    tracks: hasMany('tracks').via('albumId'),
    bonus: belongsToMany('tracks').through('bonus_tracks', { owner: 'albumId', member: 'trackId' }),
  }),
  typeWith('tracks'),
]

test.each(['tracks', 'bonus'])('thousands of members are written in linear time: %s', async (relation) => {
  const data = storedData({ albums: [{ id: 1 }], tracks: keys.map((key) => ({ id: Number(key), albumId: null })) })
  const api = linkageWriter(createServer({ resources, data }))
  for (const verb of ['add', 'replace', 'remove'] as const) {
    const start = performance.now()
    expect((await api[verb](`/albums/1/${relation}`, some('tracks', ...keys))).status).toBe(200)
    expect(performance.now() - start).toBeLessThan(soon)
  }
  expect((await api.get(`/albums/1/relationships/${relation}`)).document?.data).toEqual([])
})
