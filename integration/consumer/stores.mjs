// `ashlar/sql` and `ashlar/drizzle` work with the libraries that a user installs next to the package.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { env, execPath } from 'node:process'

env.MUSIC_FILE = 'music.db'
const { database, server } = await import('./music.mjs')
await assert.rejects(server.ready(), /^Error: The stores are not ready:\n {2}- The database has no table 'artists'/)

database.exec(`
  create table artists (id integer primary key, name text not null);
  create table albums (id integer primary key, title text not null, released_on text, artist_id integer references artists);
`)
await server.ready()

const send = async (method, path, data) => {
  const headers = { 'Content-Type': 'application/vnd.api+json' }
  const body = data === undefined ? null : JSON.stringify({ data })
  const response = await server.fetch(new Request(`http://music.example${path}`, { method, headers, body }))
  return { status: response.status, document: await response.json() }
}
assert.equal((await send('POST', '/artists', { type: 'artists', attributes: { name: 'Low' } })).status, 201)
const created = await send('POST', '/albums', {
  type: 'albums',
  attributes: { title: 'Hey What', releasedOn: '2021-09-10' },
  relationships: { artist: { data: { type: 'artists', id: '1' } } },
})
assert.equal(created.status, 201)
const found = await send('GET', '/artists/1?include=albums')
assert.deepEqual(found.document.included[0].attributes, { title: 'Hey What', releasedOn: '2021-09-10' })

const manifest = JSON.parse(readFileSync('node_modules/ashlar/package.json', 'utf8'))
const words = [`node_modules/ashlar/${manifest.bin.ashlar}`, 'check', 'music.mjs', '--database']
const checked = spawnSync(execPath, words, { encoding: 'utf8', timeout: 300_000 })
assert.equal(checked.status, 1)
assert.match(checked.stdout, /^2 types, \d+ routes: no faults\.\n/)
assert.equal(
  checked.stderr,
  "The databases have 1 problem:\n  - The table 'albums' has no index that begins with 'artist_id', by which 'artists.albums' is read. [relation-index:artists.albums]\n",
)
database.close()
