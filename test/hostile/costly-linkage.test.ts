import { belongsToMany, createServer, hasMany } from 'ashlar'
import { expect, test } from 'vitest'
import { expectLinear, type Sized } from '../support/growth.js'
import { typeWith } from '../support/linkage-reader.js'
import { linkageWriter, some } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

const verbs = ['add', 'replace', 'remove'] as const

const resources = [
  typeWith('albums', {
    tracks: hasMany('tracks').via('albumId'),
    bonus: belongsToMany('tracks').through('bonus_tracks', { owner: 'albumId', member: 'trackId' }),
  }),
  typeWith('tracks'),
]

test.each(['tracks', 'bonus'])('thousands of members are written in linear time: %s', async (relation) => {
  const writing: Sized = (size) => {
    const keys = Array.from({ length: size }, (_, index) => String(index + 1))
    const data = storedData({ albums: [{ id: 1 }], tracks: keys.map((key) => ({ id: Number(key), albumId: null })) })
    const api = linkageWriter(createServer({ resources, data }))
    return async () => {
      for (const verb of verbs) {
        expect((await api[verb](`/albums/1/${relation}`, some('tracks', ...keys))).status).toBe(200)
      }
      expect((await api.get(`/albums/1/relationships/${relation}`)).document?.data).toEqual([])
    }
  }
  await expectLinear(writing, { small: 1000 })
})
