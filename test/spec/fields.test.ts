import { type AttributeKit, createServer, defineResource, id, model, type RequestContext } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
  internalNote: string
  pressingSecret: string
  catalogueNumber: string
  stock: number
  slug: string
}

const okComputer: AlbumRow = {
  id: 1,
  title: 'OK Computer',
  internalNote: 'reissue?',
  pressingSecret: 'xyz',
  catalogueNumber: 'NODATA 02',
  stock: 3,
  slug: 'ok-computer',
}

const isStaff = ({ request }: RequestContext): boolean => request?.header('x-staff') === 'yes'
const staff = { headers: { 'X-Staff': 'yes' } }

/** The one album, its fields declared by the test. */
function albumsWith(attributes: (kit: AttributeKit<AlbumRow>) => Record<never, never>): TestClient {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes,
  })
  return client(createServer({ resources: [albums], data: storedData({ albums: [okComputer] }) }))
}

const attributesOf = async (api: TestClient, path = '/albums/1', options = {}) =>
  (await api.get(path, options)).resource.attributes

const hiddenNote = () => albumsWith((a) => ({ title: a.string(), internalNote: a.string().hidden() }))

describe('hidden()', () => {
  test('is never rendered, even when named in fields', async () => {
    expect(await attributesOf(hiddenNote())).toEqual({ title: 'OK Computer' })
    expect(await attributesOf(hiddenNote(), '/albums/1?fields[albums]=title,internalNote')).toEqual({
      title: 'OK Computer',
    })
    expect(await attributesOf(hiddenNote(), '/albums/1?fields[albums]=internalNote')).toBeUndefined()
  })

  test('is never written either', async () => {
    const server = albumsWith((a) => ({
      internalNote: a.string().hidden(),
      shown: a.string().computed((row) => row.internalNote),
    }))
    const response = await server.patch('/albums/1', { body: resourceBody('albums', { internalNote: 'x' }, '1') })
    expect(response.resource.attributes).toEqual({ shown: 'reissue?' })
  })

  test('with a function, hides by row and request, and is written by callers who see it', async () => {
    const server = albumsWith((a) => ({
      internalNote: a.string().hidden((row, context) => row.id === 1 && !isStaff(context)),
    }))
    expect(await attributesOf(server)).toBeUndefined()
    expect(await attributesOf(server, '/albums/1', staff)).toEqual({ internalNote: 'reissue?' })
    const body = resourceBody('albums', { internalNote: 'sold out' }, '1')
    await server.patch('/albums/1', { body })
    expect(await attributesOf(server, '/albums/1', staff)).toEqual({ internalNote: 'reissue?' })
    await server.patch('/albums/1', { body, ...staff })
    expect(await attributesOf(server, '/albums/1', staff)).toEqual({ internalNote: 'sold out' })
  })
})

const writeOnlySecret = () =>
  albumsWith((a) => ({
    pressingSecret: a.string().minLength(3).writeOnly(),
    length: a.integer().computed((row) => row.pressingSecret.length),
  }))

describe('writeOnly()', () => {
  test('is validated on write', async () => {
    expectErrors(
      await writeOnlySecret().patch('/albums/1', { body: resourceBody('albums', { pressingSecret: 'ab' }, '1') }),
      [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/pressingSecret' }],
    )
  })

  test('is written, and never rendered, not even when named in fields', async () => {
    const server = writeOnlySecret()
    const changed = await server.patch('/albums/1?fields[albums]=pressingSecret,length', {
      body: resourceBody('albums', { pressingSecret: 'abcde' }, '1'),
    })
    expect(changed.resource.attributes).toEqual({ length: 5 })
    expect(await attributesOf(server)).toEqual({ length: 5 })
  })

  test('with a function, hides by request', async () => {
    const server = albumsWith((a) => ({ pressingSecret: a.string().writeOnly((context) => !isStaff(context)) }))
    expect(await attributesOf(server)).toBeUndefined()
    expect(await attributesOf(server, '/albums/1', staff)).toEqual({ pressingSecret: 'xyz' })
  })
})

describe('readOnly() and its two halves', () => {
  const rename = { body: resourceBody('albums', { title: 'Kid A' }, '1') }
  const create = { body: resourceBody('albums', { title: 'Kid A' }) }

  test('readOnly() is never written by clients: sent values are ignored, and not validated', async () => {
    const server = albumsWith((a) => ({ title: a.string().readOnly() }))
    expect((await server.patch('/albums/1', rename)).resource.attributes).toEqual({ title: 'OK Computer' })
    expect((await server.post('/albums', create)).resource.attributes).toEqual({ title: null })
    const nonsense = { body: resourceBody('albums', { title: 5 }, '1') }
    expect((await server.patch('/albums/1', nonsense)).status).toBe(200)
  })

  test('readOnlyOnUpdate() is accepted on create and frozen on PATCH', async () => {
    const server = albumsWith((a) => ({ title: a.string().readOnlyOnUpdate() }))
    expect((await server.patch('/albums/1', rename)).resource.attributes).toEqual({ title: 'OK Computer' })
    expect((await server.post('/albums', create)).resource.attributes).toEqual({ title: 'Kid A' })
  })

  test('readOnlyOnCreate() is the reverse', async () => {
    const server = albumsWith((a) => ({ title: a.string().readOnlyOnCreate() }))
    expect((await server.patch('/albums/1', rename)).resource.attributes).toEqual({ title: 'Kid A' })
    expect((await server.post('/albums', create)).resource.attributes).toEqual({ title: null })
  })

  test('with a function, depends on the request', async () => {
    const server = albumsWith((a) => ({ title: a.string().readOnly((context) => !isStaff(context)) }))
    expect((await server.patch('/albums/1', rename)).resource.attributes).toEqual({ title: 'OK Computer' })
    expect((await server.patch('/albums/1', { ...rename, ...staff })).resource.attributes).toEqual({ title: 'Kid A' })
  })
})

describe('the source of a value', () => {
  test('computed() is derived at serialization time, without a stored column', async () => {
    const server = albumsWith((a) => ({ shout: a.string().computed((row) => `${row.title.toUpperCase()}!`) }))
    expect(await attributesOf(server)).toEqual({ shout: 'OK COMPUTER!' })
    const response = await server.patch('/albums/1', { body: resourceBody('albums', { shout: 'x' }, '1') })
    expect(response.resource.attributes).toEqual({ shout: 'OK COMPUTER!' })
  })

  test('computed() may be written through fillUsing()', async () => {
    const server = albumsWith((a) => ({
      title: a.string(),
      upper: a
        .string()
        .computed()
        .extractUsing((row) => row.title.toUpperCase())
        .fillUsing((_row, value) => ({ title: String(value).toLowerCase() })),
    }))
    const response = await server.patch('/albums/1', { body: resourceBody('albums', { upper: 'KID A' }, '1') })
    expect(response.resource.attributes).toEqual({ title: 'kid a', upper: 'KID A' })
  })

  test('extractUsing() reads the value from the object, and the cast of the kind still runs', async () => {
    const server = albumsWith((a) => ({
      stock: a.string().extractUsing((row) => row.stock as unknown as string),
      released: a
        .dateTime()
        .computed()
        .extractUsing(() => new Date(0)),
      named: a.string().extractUsing((_row, { server: name }, attribute) => `${name} ${attribute}`),
    }))
    expect(await attributesOf(server)).toEqual({
      stock: '3',
      released: '1970-01-01T00:00:00+00:00',
      named: 'default named',
    })
  })

  test('serializeUsing() takes over the whole read, deserializeUsing() the cast of the write', async () => {
    const server = albumsWith((a) => ({
      title: a
        .string()
        .serializeUsing((row) => `«${row.title}»`)
        .deserializeUsing((value) => String(value).trim()),
    }))
    const response = await server.patch('/albums/1', { body: resourceBody('albums', { title: '  Kid A ' }, '1') })
    expect(response.resource.attributes).toEqual({ title: '«Kid A»' })
  })

  test('storedAs() names another column', async () => {
    const server = albumsWith((a) => ({ number: a.string().storedAs('catalogueNumber') }))
    expect(await attributesOf(server)).toEqual({ number: 'NODATA 02' })
    const response = await server.patch('/albums/1', { body: resourceBody('albums', { number: 'X 1' }, '1') })
    expect(response.resource.attributes).toEqual({ number: 'X 1' })
  })

  test('a column that the attributes do not name is never rendered and never written', async () => {
    const server = albumsWith((a) => ({
      title: a.string(),
      peek: a.string().computed((row) => row.internalNote),
    }))
    const body = resourceBody('albums', { internalNote: 'x', id: 9, __proto__: { title: 'y' } }, '1')
    expect((await server.patch('/albums/1', { body })).resource.attributes).toEqual({
      title: 'OK Computer',
      peek: 'reissue?',
    })
  })
})

describe('sparse fieldsets and fields', () => {
  test('only functions of the selected members run', async () => {
    const [wanted, unwanted] = [vi.fn(() => 'a'), vi.fn(() => 'b')]
    const server = albumsWith((a) => ({ wanted: a.string().computed(wanted), unwanted: a.string().computed(unwanted) }))
    expect(await attributesOf(server, '/albums/1?fields[albums]=wanted')).toEqual({ wanted: 'a' })
    expect(wanted).toHaveBeenCalledTimes(1)
    expect(unwanted).not.toHaveBeenCalled()
  })

  test('sparseByDefault() is rendered only when named, and its value hook is skipped otherwise', async () => {
    const hook = vi.fn(() => 42)
    const server = albumsWith((a) => ({ title: a.string(), plays: a.integer().computed(hook).sparseByDefault() }))
    expect(await attributesOf(server)).toEqual({ title: 'OK Computer' })
    expect(await attributesOf(server, '/albums/1?fields[albums]=title')).toEqual({ title: 'OK Computer' })
    await server.get('/albums')
    await server.patch('/albums/1', { body: resourceBody('albums', { title: 'Kid A' }, '1') })
    await server.post('/albums', { body: resourceBody('albums', { title: 'Amnesiac' }) })
    expect(hook).not.toHaveBeenCalled()
    expect(await attributesOf(server, '/albums/1?fields[albums]=plays')).toEqual({ plays: 42 })
    expect(hook).toHaveBeenCalledTimes(1)
  })

  test('notSparseField() is rendered whatever the fieldset is', async () => {
    const server = albumsWith((a) => ({ title: a.string(), slug: a.string().notSparseField() }))
    expect(await attributesOf(server, '/albums/1?fields[albums]=title')).toEqual({
      title: 'OK Computer',
      slug: 'ok-computer',
    })
    expect(await attributesOf(server, '/albums/1?fields[albums]=')).toEqual({ slug: 'ok-computer' })
  })
})

const messages = async (server: TestClient, method: 'POST' | 'PATCH', attributes: object) => {
  const body = resourceBody('albums', { ...attributes }, method === 'PATCH' ? '1' : undefined)
  const response = await server.request(method, method === 'PATCH' ? '/albums/1' : '/albums', { body })
  return response.errors.map(({ detail }) => detail)
}

describe('presence and null', () => {
  test('without a modifier a value may be absent, but not null', async () => {
    const server = albumsWith((a) => ({ title: a.string() }))
    expect(await messages(server, 'POST', {})).toEqual([])
    expect(await messages(server, 'POST', { title: '' })).toEqual([])
    expect(await messages(server, 'POST', { title: null })).toEqual(['This must not be null.'])
    expect(await messages(server, 'PATCH', { title: null })).toEqual(['This must not be null.'])
  })

  test('nullable() may be null', async () => {
    const server = albumsWith((a) => ({ title: a.string().nullable().minLength(5) }))
    expect(await messages(server, 'POST', { title: null })).toEqual([])
    expect(await messages(server, 'PATCH', { title: null })).toEqual([])
  })

  test('required() must be present and not empty on create, and not empty on update', async () => {
    const server = albumsWith((a) => ({ title: a.string().required() }))
    expect(await messages(server, 'POST', {})).toEqual(['This is required.'])
    expect(await messages(server, 'POST', { title: '' })).toEqual(['This must not be empty.'])
    expect(await messages(server, 'PATCH', {})).toEqual([])
    expect(await messages(server, 'PATCH', { title: '' })).toEqual(['This must not be empty.'])
  })

  test('required() and nullable() together demand presence and allow null', async () => {
    const server = albumsWith((a) => ({ title: a.string().required().nullable() }))
    expect(await messages(server, 'POST', {})).toEqual(['This is required.'])
    expect(await messages(server, 'POST', { title: null })).toEqual([])
    expect(await messages(server, 'PATCH', { title: null })).toEqual([])
  })

  test('requiredOnCreate() demands nothing on update', async () => {
    const server = albumsWith((a) => ({ title: a.string().requiredOnCreate() }))
    expect(await messages(server, 'POST', {})).toEqual(['This is required.'])
    expect(await messages(server, 'PATCH', { title: '' })).toEqual([])
  })

  test('requiredOnUpdate() demands a value that is not empty if one is sent', async () => {
    const server = albumsWith((a) => ({ title: a.string().requiredOnUpdate() }))
    expect(await messages(server, 'POST', { title: '' })).toEqual([])
    expect(await messages(server, 'PATCH', {})).toEqual([])
    expect(await messages(server, 'PATCH', { title: '' })).toEqual(['This must not be empty.'])
  })

  test('false and 0 are not empty', async () => {
    const server = albumsWith((a) => ({
      stock: a.integer().required(),
      title: a
        .boolean()
        .required()
        .extractUsing(() => false)
        .fillUsing(() => null),
    }))
    expect(await messages(server, 'POST', { stock: 0, title: false })).toEqual([])
  })

  test('every violation of a document is reported together, with its pointer', async () => {
    const server = albumsWith((a) => ({
      title: a.string().required().maxLength(3),
      stock: a.integer().min(1),
      slug: a.string().required(),
    }))
    const response = await server.post('/albums', { body: resourceBody('albums', { title: 'Kid A', stock: 0 }) })
    expect(response.status).toBe(422)
    expectErrors(response, [
      { status: 422, code: 'VALIDATION_FAILED', title: 'Unprocessable Entity', pointer: '/data/attributes/title' },
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/stock', detail: 'This must be 1 or more.' },
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/slug', detail: 'This is required.' },
    ])
  })

  test('the tokens of a pointer are escaped', async () => {
    const odd = defineResource('albums', {
      model: model<{ [column: string]: unknown; id: number }>('albums'),
      id: id(),
      attributes: (a) => ({ preferences: a.arrayHash().shape({ additionalProperties: { type: 'integer' } }) }),
    })
    const api = client(createServer({ resources: [odd], data: storedData() }))
    const body = resourceBody('albums', { preferences: { 'a/b~c': 'x' } })
    expectErrors(await api.post('/albums', { body }), [
      { status: 422, pointer: '/data/attributes/preferences/a~1b~0c' },
    ])
  })
})

describe('unknown and read-only members of a write body', () => {
  const labels = defineResource('labels', {
    model: model<{ id: number; name: string; founded: number }>('labels'),
    id: id(),
    attributes: (a) => ({ name: a.string(), founded: a.integer().readOnly() }),
  })
  const rows = { labels: [{ id: 1, name: 'ECM', founded: 1969 }] }
  const body = {
    data: {
      type: 'labels',
      id: '1',
      attributes: { name: 'ECM Records', founded: 1, strange: true },
      relationships: { owner: { data: null } },
    },
  }

  test('are ignored by default: a client may send back what it read', async () => {
    const api = client(createServer({ resources: [labels], data: storedData(rows) }))
    const read = await api.get('/labels/1')
    expect((await api.patch('/labels/1', { body: { data: read.resource } })).resource).toEqual(read.resource)
    const changed = await api.patch('/labels/1', { body })
    expect(changed.resource.attributes).toEqual({ name: 'ECM Records', founded: 1969 })
  })

  test('are all named, at their pointers, when the server rejects them', async () => {
    const api = client(createServer({ resources: [labels], data: storedData(rows), unknownMembers: 'reject' }))
    expectErrors(await api.patch('/labels/1', { body }), [
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/founded' },
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/strange' },
      { status: 422, code: 'RELATIONSHIP_UNRECOGNIZED', pointer: '/data/relationships/owner' },
    ])
    expect((await api.get('/labels/1')).resource.attributes).toEqual({ name: 'ECM', founded: 1969 })
  })
})
