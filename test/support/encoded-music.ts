import {
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  hasOne,
  id,
  type IdCodec,
  model,
  morphTo,
} from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { client } from './client.js'
import { cursorContent } from './cursor-content.js'
import { storedData } from './stored-data.js'
import { storedRows } from './stored-rows.js'

/** Keys that are easy to find: no document, no address, no error and no cursor may have one. */
const secret = /90000\d/

/** Reads ids in any case, and writes them in one: two texts for one key. */
function spelled(prefix: string): IdCodec<number> {
  const form = new RegExp(`^${prefix}-[0-9a-z]+$`, 'i')
  return {
    encode: (key) => `${prefix}-${key.toString(36)}`,
    decode: (wireId) => (form.test(wireId) ? Number.parseInt(wireId.slice(prefix.length + 1), 36) : null),
  }
}

/** `artist(1)` is the id of the artist whose key is 900001. */
export const artist = (number: number): string => `artist-${(900_000 + number).toString(36)}`
export const album = (number: number): string => `album-${(900_000 + number).toString(36)}`

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; mentorId: number | null }>('artists'),
  id: id().allowClientId().encodeUsing(spelled('artist')).sortable(),
  attributes: (a) => ({ name: a.string().required().sortable() }),
  relations: {
    mentor: belongsTo('artists'),
    pupil: hasOne('artists').via('mentorId'),
    albums: hasMany('albums').paginate(cursorPage()),
    likes: belongsToMany('artists').through('likes', { owner: 'fanId', member: 'idolId' }).withData(),
    favorite: morphTo(['albums', 'artists']),
  },
  filters: (f) => ({
    id: f.idIn(),
    other: f.idNotIn(),
    only: f.where('id'),
    mentor: f.through('mentor.id'),
    album: f.through('albums.id'),
    idol: f.through('likes.id'),
  }),
  pagination: cursorPage(),
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number | null }>('albums'),
  id: id().encodeUsing(spelled('album')),
  attributes: (a) => ({ title: a.string() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ id: f.idIn() }),
})

const names = ['artists', 'albums', 'likes'] as const

export interface EncodedMusic {
  /** Fails on any response that contains a stored key. */
  readonly api: TestClient
  readonly rows: () => ReturnType<typeof storedRows>
}

/** Three artists and three albums whose ids are not their keys. */
export function encodedMusic(): EncodedMusic {
  const data = storedData({
    artists: [
      { id: 900_001, name: 'Björk', mentorId: null, favoriteId: 900_003, favoriteType: 'albums' },
      { id: 900_002, name: 'Arca', mentorId: 900_001, favoriteId: 900_001, favoriteType: 'artists' },
      { id: 900_003, name: 'Rosalía', mentorId: 900_002, favoriteId: null, favoriteType: null },
    ],
    albums: [
      { id: 900_001, title: 'Homogenic', artistId: 900_001 },
      { id: 900_002, title: 'Vespertine', artistId: 900_001 },
      { id: 900_003, title: 'Kick i', artistId: 900_002 },
    ],
    likes: [
      { id: 1, fanId: 900_001, idolId: 900_002 },
      { id: 2, fanId: 900_001, idolId: 900_003 },
      { id: 3, fanId: 900_003, idolId: 900_001 },
    ],
  })
  const api = client(createServer({ resources: [artists, albums], data }), {
    onResponse({ text, headers }, { method, path, query }) {
      // Values that a client sends itself are no secret to it.
      if (secret.test(path) || secret.test(query)) return
      const texts = [text, ...[...headers].map(([, value]) => value), ...cursorsIn(text)]
      const leak = texts.find((each) => secret.test(each))
      if (leak !== undefined) throw new Error(`The reply to ${method} ${path} contains a stored key: ${leak}`)
    },
  })
  return { api, rows: () => storedRows(data, names) }
}

/** The content of the cursors of a document. */
function cursorsIn(text: string): readonly string[] {
  return [...text.matchAll(/page(?:\[|%5B)(?:after|before)(?:\]|%5D)=([\w-]+)/g)].map(([, token = '']) =>
    cursorContent(token),
  )
}
