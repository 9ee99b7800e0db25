// A server made with the packed package answers: without a socket, and over HTTP.
import assert from 'node:assert/strict'
import { BuildError, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { listen } from 'ashlar/node'

const albums = defineResource('albums', {
  model: model('albums'),
  id: id().numeric(),
  attributes: (a) => ({ title: a.string().required().maxLength(200) }),
})
const server = createServer({ resources: [albums], data: memoryData({ albums: [{ id: 1, title: 'OK Computer' }] }) })

const found = await server.fetch(new Request('http://music.example/albums/1'))
assert.equal(found.status, 200)
assert.equal(found.headers.get('content-type'), 'application/vnd.api+json')
assert.deepEqual((await found.json()).data, {
  type: 'albums',
  id: '1',
  attributes: { title: 'OK Computer' },
  links: { self: 'http://music.example/albums/1' },
})

const listening = await listen(server)
const send = (attributes) =>
  fetch(`${listening.url}/albums`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'albums', attributes } }),
  })
const created = await send({ title: 'Kid A' })
assert.equal(created.status, 201)
assert.equal(created.headers.get('location'), `${listening.url}/albums/2`)
const refused = await send({})
assert.equal(refused.status, 422)
assert.equal((await refused.json()).errors[0].source.pointer, '/data/attributes/title')
await listening.close()

const faulty = defineResource('albums', { model: model('albums'), id: id().generated() })
assert.throws(() => createServer({ resources: [faulty], data: memoryData() }), BuildError)
