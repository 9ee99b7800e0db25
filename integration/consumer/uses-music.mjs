// The typed client reads from and writes to the music catalogue, whose URL is the argument.
import assert from 'node:assert/strict'
import { argv } from 'node:process'
import { ClientError, createClient } from '@ashlar/client'

const [, , url] = argv
const { types, atomic } = createClient({ url, headers: { Authorization: 'Bearer dev-alice' } })

const page = await types.albums.list({ include: ['artist'], sort: ['title'], page: { size: 2 } })
assert.equal(page.data.length, 2)
assert.ok(page.data.every((album) => album.artist === null || typeof album.artist.name === 'string'))

const { data: artist } = await types.artists.create({ attributes: { name: 'Portishead' } })
assert.equal(artist.slug, 'portishead')

const [album, renamed] = await atomic((batch) => {
  const created = batch.create('albums', {
    attributes: { title: 'Dummy' },
    relationships: { artist: { type: 'artists', id: artist.id } },
  })
  return [created, batch.update('albums', created, { attributes: { explicit: true } })]
})
assert.equal(album.title, 'Dummy')
assert.ok(renamed === null || renamed.explicit)
assert.equal((await types.albums.get(album.id)).data.explicit, true)

const failure = await atomic((batch) => [
  batch.update('albums', album.id, { attributes: { title: 'Third' } }),
  batch.delete('albums', '999999'),
]).catch((error) => error)
assert.ok(failure instanceof ClientError)
assert.equal((await types.albums.get(album.id)).data.title, 'Dummy')
