import { createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface Row {
  id: number
  title: string
  price: number
  plays: bigint
  at: Date
}

/** The compiler would refuse another type; JavaScript has none. */
function shown(value: unknown): never {
  return value as never
}

function shop() {
  const albums = defineResource('albums', {
    model: model<Row>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string().maxLength(5),
      price: a
        .decimal()
        .min(0)
        .serializeUsing((row) => shown(row.price.toFixed(2))),
      plays: a.bigint().min(1n),
      at: a
        .dateTime()
        .after('2000-01-01T00:00:00Z')
        .serializeUsing((row) => shown(row.at.getTime())),
    }),
  })
  const row = { id: 1, title: 'one', price: 2.5, plays: 2n ** 60n, at: new Date('2024-02-29T00:00:00Z') }
  // Attributes are shown in a form that the declaration does not have.
  return client(createServer({ resources: [albums], data: storedData({ albums: [row] }) }), { isDescribed: false })
}

test('a value that is shown in another form than it is sent in does not prevent a PATCH of other values', async () => {
  const api = shop()
  const written = await api.patch('/albums/1', { body: resourceBody('albums', { title: 'two' }, '1') })
  expect(written.resource.attributes).toMatchObject({ title: 'two', price: '2.50' })
})

test('and can be sent back as it is shown, which changes nothing', async () => {
  const api = shop()
  const before = await api.get('/albums/1')
  const written = await api.patch('/albums/1', { body: { data: before.resource } })
  expect(written.resource).toEqual(before.resource)
})

test('a changed value must have the form of requests', async () => {
  const body = resourceBody('albums', { price: '3.50', at: 5 }, '1')
  expectErrors(await shop().patch('/albums/1', { body }), [
    { status: 422, pointer: '/data/attributes/price' },
    { status: 422, pointer: '/data/attributes/at' },
  ])
})
