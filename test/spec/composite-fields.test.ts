import { createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface ReleaseRow {
  id: number
  label: string | null
  catalogueNumber: string | null
  packaging: object | null
  medium: object | null
}

const releases = defineResource('releases', {
  model: model<ReleaseRow>('releases'),
  id: id(),
  attributes: (a) => ({
    info: a
      .map()
      .nullable()
      .fields({
        label: a.string().nullable().maxLength(10),
        number: a.string().nullable().storedAs('catalogueNumber'),
      }),
    packaging: a
      .object()
      .nullable()
      .fields({
        kind: a.string().required(),
        weight: a.integer().nullable().min(1),
        note: a.string().nullable().writeOnly(),
        code: a.string().nullable().readOnly(),
        inner: a.object().nullable().fields({ colour: a.string() }),
      }),
    medium: a
      .oneOf()
      .nullable()
      .discriminator('kind')
      .variant('vinyl', { rpm: a.integer().in([33, 45]), size: a.integer().nullable() })
      .variant('file', { format: a.string() }),
  }),
})

const stored = {
  id: 1,
  label: 'Parlophone',
  catalogueNumber: 'NODATA 02',
  packaging: { kind: 'sleeve', weight: 20, note: 'fragile', code: 'S1', inner: { colour: 'white' } },
  medium: { kind: 'vinyl', rpm: 33, size: 12 },
}

const server = () => client(createServer({ resources: [releases], data: storedData({ releases: [stored] }) }))

const patched = async (attributes: object) => {
  const api = server()
  const response = await api.patch('/releases/1', { body: resourceBody('releases', { ...attributes }, '1') })
  if (response.status !== 200) return response
  expect((await api.get('/releases/1')).resource).toEqual(response.resource)
  return response
}

describe('a map is an object whose children are columns', () => {
  test('it is read from the columns', async () => {
    expect((await server().get('/releases/1')).resource.attributes?.['info']).toEqual({
      label: 'Parlophone',
      number: 'NODATA 02',
    })
  })

  test('a PATCH with some children changes only those columns', async () => {
    const { resource } = await patched({ info: { label: 'XL' } })
    expect(resource.attributes?.['info']).toEqual({ label: 'XL', number: 'NODATA 02' })
  })

  test('null clears every column', async () => {
    const { resource } = await patched({ info: null })
    expect(resource.attributes?.['info']).toEqual({ label: null, number: null })
  })

  test('a child is refused at its own pointer, a value that is not an object at that of the map', async () => {
    expectErrors(await patched({ info: { label: 'Parlophone Records' } }), [
      { status: 422, pointer: '/data/attributes/info/label', detail: 'This must have at most 10 characters.' },
    ])
    expectErrors(await patched({ info: 'XL' }), [
      { status: 422, pointer: '/data/attributes/info', detail: 'This must be an object.' },
    ])
  })
})

describe('an object has its children in one stored value', () => {
  test('it is read without its write-only children', async () => {
    expect((await server().get('/releases/1')).resource.attributes?.['packaging']).toEqual({
      kind: 'sleeve',
      weight: 20,
      code: 'S1',
      inner: { colour: 'white' },
    })
  })

  test('a PATCH is merged into the stored value; unknown and read-only children are ignored', async () => {
    const { resource } = await patched({ packaging: { kind: 'box', code: 'X', strange: 1, inner: { colour: 'red' } } })
    expect(resource.attributes?.['packaging']).toEqual({
      kind: 'box',
      weight: 20,
      code: 'S1',
      inner: { colour: 'red' },
    })
  })

  test('null clears the value', async () => {
    expect((await patched({ packaging: null })).resource.attributes?.['packaging']).toBeNull()
  })

  test('children are refused at their pointers, however deep', async () => {
    expectErrors(await patched({ packaging: { kind: 'box', weight: 0, inner: { colour: 5 } } }), [
      { status: 422, pointer: '/data/attributes/packaging/weight' },
      { status: 422, pointer: '/data/attributes/packaging/inner/colour' },
    ])
  })

  test('a required child must be there on create', async () => {
    const response = await server().post('/releases', { body: resourceBody('releases', { packaging: {} }) })
    expectErrors(response, [{ status: 422, pointer: '/data/attributes/packaging/kind', detail: 'This is required.' }])
  })
})

describe('oneOf is one of several objects, distinguished by a member', () => {
  test('the same variant is merged into the stored value', async () => {
    const { resource } = await patched({ medium: { kind: 'vinyl', rpm: 45 } })
    expect(resource.attributes?.['medium']).toEqual({ kind: 'vinyl', rpm: 45, size: 12 })
  })

  test('another variant starts empty', async () => {
    const { resource } = await patched({ medium: { kind: 'file', format: 'flac' } })
    expect(resource.attributes?.['medium']).toEqual({ kind: 'file', format: 'flac' })
  })

  test('a missing or unknown discriminator is refused at its pointer', async () => {
    for (const medium of [{ rpm: 33 }, { kind: 'wax' }, { kind: '__proto__' }, { kind: 5 }]) {
      expectErrors(await patched({ medium }), [
        {
          status: 422,
          pointer: '/data/attributes/medium/kind',
          detail: 'This must be one of "vinyl", "file".',
        },
      ])
    }
  })

  test('the children of the variant are checked', async () => {
    expectErrors(await patched({ medium: { kind: 'vinyl', rpm: 78 } }), [
      { status: 422, pointer: '/data/attributes/medium/rpm', detail: 'This must be one of 33, 45.' },
    ])
  })
})

describe('members of composites that are unknown or read-only', () => {
  const sent = {
    info: { label: 'XL', strange: 1 },
    packaging: { code: 'S2', inner: { colour: 'red', 'a/b': 1 } },
    medium: { kind: 'vinyl', format: 'flac' },
  }

  test('are named at their pointers, at any depth, if the server rejects them', async () => {
    const data = storedData({ releases: [stored] })
    const api = client(createServer({ resources: [releases], data, unknownMembers: 'reject' }))
    expectErrors(await api.patch('/releases/1', { body: resourceBody('releases', sent, '1') }), [
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/info/strange' },
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/packaging/code' },
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/packaging/inner/a~1b' },
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/medium/format' },
    ])
  })

  test('are ignored otherwise', async () => {
    const { resource } = await patched(sent)
    expect(resource.attributes).toEqual({
      info: { label: 'XL', number: 'NODATA 02' },
      packaging: { kind: 'sleeve', weight: 20, code: 'S1', inner: { colour: 'red' } },
      medium: { kind: 'vinyl', rpm: 33, size: 12 },
    })
  })
})

describe('lists and open objects', () => {
  const boxes = defineResource('boxes', {
    model: model<{ id: number; numbers: readonly number[]; extras: object; ranks: object }>('boxes'),
    id: id(),
    attributes: (a) => ({
      numbers: a.arrayList().of('integer').sorted(),
      extras: a.arrayHash().sortKeys(),
      ranks: a.arrayHash().sortValues(),
    }),
  })

  test('are rendered in the declared order', async () => {
    const rows = [{ id: 1, numbers: [10, 9, 1], extras: { b: 1, a: 2 }, ranks: { x: 3, y: 1 } }]
    const { text } = await client(createServer({ resources: [boxes], data: storedData({ boxes: rows }) })).get(
      '/boxes/1',
    )
    expect(text).toContain('"attributes":{"numbers":[1,9,10],"extras":{"a":2,"b":1},"ranks":{"y":1,"x":3}}')
  })
})
