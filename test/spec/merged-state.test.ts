import { type AttributeKit, createServer, defineResource, id, model, type RequestContext, rule } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { albumsWith, at, patch, type Row } from '../support/merged-albums.js'
import { storedData } from '../support/stored-data.js'

const isStrict = (_value: unknown, context: RequestContext | null) => context?.request?.header('x-strict') === 'yes'

const discounted = (a: AttributeKit<Row>) => ({
  discount: a.integer().compareWith('price', '<='),
  price: a.integer().readOnly(),
})

describe('with validateStored, a PATCH is checked against the resulting resource', () => {
  test('an untouched value that violates a rule is refused at its own pointer', async () => {
    const api = albumsWith((a) => ({ title: a.string().minLength(3), year: a.integer().min(1900) }), {
      title: 'OK',
      year: 1997,
    })
    expectErrors(await patch(api, { year: 1998 }), at('title', 'This must have at least 3 characters.'))
    expectErrors(await patch(api, {}), at('title', 'This must have at least 3 characters.'))
    expect((await patch(api, { year: 1998, title: 'OK Computer' })).status).toBe(200)
    expect((await patch(api, { year: 1999 })).status).toBe(200)
  })

  test('so is one of another JSON type than the attribute', async () => {
    const api = albumsWith((a) => ({ title: a.string(), year: a.integer() }), { title: 'OK', year: 'long ago' })
    expectErrors(await patch(api, { title: 'Kid A' }), at('year', 'This must be a whole number.'))
  })

  test('all violations are reported together, of sent and of stored values', async () => {
    const api = albumsWith((a) => ({ title: a.string().minLength(3), year: a.integer().min(1900) }), {
      title: 'OK',
      year: 1997,
    })
    expectErrors(await patch(api, { year: 1 }), [
      { status: 422, pointer: '/data/attributes/title' },
      { status: 422, pointer: '/data/attributes/year' },
    ])
  })

  test('a stored null counts as missing, whether or not null may be sent', async () => {
    const api = albumsWith(
      (a) => ({
        title: a.string(),
        year: a.integer().required().min(1900),
        label: a.string().nullable().minLength(3),
      }),
      { title: 'OK', year: null, label: null },
    )
    expect((await patch(api, { title: 'Kid A' })).status).toBe(200)
    expect((await patch(api, { year: 2000 })).status).toBe(200)
    expectErrors(await patch(api, { year: null }), at('year', 'This must not be null.'))
  })

  test('a null that repeats a stored one changes nothing, so that it can be sent back, at any depth', async () => {
    const api = albumsWith(
      (a) => ({
        title: a.string().deserializeUsing((value) => `${String(value)}!`),
        info: a.map().fields({ label: a.string(), number: a.string() }),
        packaging: a.object().fields({
          kind: a.string().required(),
          weight: a.integer().deserializeUsing((value) => Number(value) * 2),
          inner: a.object().fields({ colour: a.string() }),
        }),
      }),
      { title: null, label: null, number: '1', packaging: { kind: 'box', weight: null, inner: null } },
    )
    const { resource } = await api.get('/albums/1')
    expect((await api.patch('/albums/1', { body: { data: resource } })).resource).toEqual(resource)
    const edited = await patch(api, {
      title: null,
      info: { label: null, number: '2' },
      packaging: { kind: 'sleeve', weight: null, inner: null },
    })
    expect(edited.resource.attributes).toEqual({
      title: null,
      info: { label: null, number: '2' },
      packaging: { kind: 'sleeve', weight: null, inner: null },
    })
    expectErrors(await patch(api, { info: { number: null }, packaging: { kind: null } }), [
      { status: 422, pointer: '/data/attributes/info/number' },
      { status: 422, pointer: '/data/attributes/packaging/kind' },
    ])
  })

  test('a value that repeats what a client reads is not stored again in another form', async () => {
    const api = albumsWith(
      (a) => ({
        title: a.string(),
        rounded: a.decimal(),
        code: a
          .string()
          .serializeUsing((row) => String(row['code']).slice(1))
          .deserializeUsing((value) => `!${String(value)}`),
        sorted: a.arrayList().sorted(),
        peek: a.arrayHash().computed((row) => ({ rounded: row['rounded'], code: row['code'], sorted: row['sorted'] })),
      }),
      { title: 'OK', rounded: '3.70', code: '#ab', sorted: ['b', 'a'] },
    )
    const { resource } = await api.get('/albums/1')
    const written = await api.patch('/albums/1', {
      body: { data: { ...resource, attributes: { ...resource.attributes, title: 'Kid A' } } },
    })
    expect(written.resource.attributes).toEqual({ ...resource.attributes, title: 'Kid A' })
    expect(written.resource.attributes?.['peek']).toEqual({ rounded: '3.70', code: '#ab', sorted: ['b', 'a'] })
    const rounded = await patch(api, { rounded: 4 })
    expect(rounded.resource.attributes).toMatchObject({ rounded: 4 })
  })

  test('a required value that is empty in the store is refused', async () => {
    const api = albumsWith((a) => ({ title: a.string().required(), year: a.integer() }), { title: '', year: 1997 })
    expectErrors(await patch(api, { year: 1998 }), at('title', 'This must not be empty.'))
  })

  test('rules for one of the two writes apply to untouched values only there', async () => {
    const api = albumsWith(
      (a) => ({
        made: a.string().onCreate((field) => field.minLength(3)),
        changed: a.string().onUpdate((field) => field.minLength(3)),
        nested: a.string().when(
          () => true,
          (field) => field.requiredOnCreate().onUpdate((inner) => inner.minLength(3)),
        ),
        first: a
          .string()
          .nullable()
          .constrain(rule.sequentially(rule.onCreate(rule.minLength(9)))),
      }),
      { made: 'ab', changed: 'abc', nested: 'abc', first: 'a' },
    )
    expect((await patch(api, {})).status).toBe(200)
    expectErrors(await patch(api, { nested: '' }), at('nested', 'This must have at least 3 characters.'))
    expectErrors(await patch(api, { changed: 'ab' }), at('changed', 'This must have at least 3 characters.'))
  })

  test('conditions are evaluated for unsent values too, with the request', async () => {
    const api = albumsWith((a) => ({ title: a.string().when(isStrict, (field) => field.minLength(3)) }), {
      title: 'OK',
    })
    expect((await patch(api, {})).status).toBe(200)
    const strict = { body: resourceBody('albums', {}, '1'), headers: { 'X-Strict': 'yes' } }
    expectErrors(await api.patch('/albums/1', strict), at('title', 'This must have at least 3 characters.'))
  })

  test('values are checked as clients read them', async () => {
    const api = albumsWith(
      (a) => ({
        released: a.date().storedAs('releasedOn').after('2000-01-01'),
        recorded: a.dateTime().in(['1997-05-21T00:00:00Z']),
        price: a.decimal().multipleOf(0.01),
        note: a.arrayHash().shape({ properties: { seen: { type: 'string' } } }),
        quoted: a
          .string()
          .pattern(/^«.*»$/)
          .serializeUsing((row) => `«${String(row['quoted'])}»`)
          .deserializeUsing((value) => String(value).slice(1, -1)),
      }),
      {
        releasedOn: new Date('2000-10-02T00:00:00Z'),
        recorded: new Date('1997-05-21T00:00:00Z'),
        price: '19.99',
        note: { seen: new Date(0) },
        quoted: 'yes',
      },
    )
    const { resource } = await patch(api, { price: 5 })
    expect(resource.attributes).toMatchObject({ price: 5, quoted: '«yes»', recorded: '1997-05-21T00:00:00+00:00' })
    expect((await patch(api, { ...resource.attributes })).status).toBe(200)
  })

  test('the output of a user-defined serializer is what clients read', async () => {
    const albums = defineResource('albums', {
      model: model<Row>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string().maxLength(5), year: a.integer(), secret: a.string().hidden(() => true) }),
      serializer: {
        members: ['title', 'year', 'secret'],
        serialize: (row) => ({
          id: String(row['id']),
          attributes: { title: String(row['title']).slice(0, 5), year: row['year'], secret: 5 },
        }),
      },
    })
    const data = storedData({ albums: [{ id: 1, title: 'OK Computer', year: 1997 }] })
    const api = client(createServer({ resources: [albums], data }))
    expect((await patch(api, { year: 1998 })).status).toBe(200)
  })
})

describe('values that are not checked', () => {
  const tooShort = { secret: 'a', staff: 'a', frozen: 'a', key: 'a' }

  test('values that this client cannot read or may not write, and so cannot correct', async () => {
    const api = albumsWith(
      (a) => ({
        title: a.string(),
        secret: a.string().minLength(3).writeOnly(),
        staff: a
          .string()
          .minLength(3)
          .hidden((_row, { request }) => request?.header('x-staff') !== 'yes'),
        key: a
          .string()
          .minLength(3)
          .writeOnly(({ request }) => request?.header('x-staff') !== 'yes'),
        frozen: a.string().minLength(3).readOnlyOnUpdate(),
      }),
      { title: 'OK', ...tooShort },
    )
    expect((await patch(api, { title: 'Kid A' })).status).toBe(200)
    expectErrors(await patch(api, { secret: 'ab' }), [{ status: 422, pointer: '/data/attributes/secret' }])
    const staff = { body: resourceBody('albums', {}, '1'), headers: { 'X-Staff': 'yes' } }
    expectErrors(await api.patch('/albums/1', staff), [
      { status: 422, pointer: '/data/attributes/staff' },
      { status: 422, pointer: '/data/attributes/key' },
    ])
  })

  test('values that a function reads and that have no rules: the function is not called', async () => {
    const read = vi.fn(() => 5 as never)
    const api = albumsWith(
      (a) => ({ title: a.string(), note: a.string().extractUsing(read), label: a.string().serializeUsing(read) }),
      { title: 'OK' },
    )
    const sparse = { body: resourceBody('albums', { title: 'Kid A' }, '1') }
    expect((await api.patch('/albums/1?fields[albums]=title', sparse)).status).toBe(200)
    expect(read).not.toHaveBeenCalled()
  })

  test('values that are computed when they are rendered', async () => {
    const made = vi.fn(() => 'a')
    const api = albumsWith(
      (a) => ({
        title: a.string(),
        upper: a
          .string()
          .minLength(3)
          .computed()
          .extractUsing(made)
          .fillUsing((_row, value) => ({ title: value }))
          .sparseByDefault(),
      }),
      { title: 'OK' },
    )
    expect((await patch(api, { title: 'Kid A' })).status).toBe(200)
    expect(made).not.toHaveBeenCalled()
    expectErrors(await patch(api, { upper: 'x' }), [{ status: 422, pointer: '/data/attributes/upper' }])
  })
})

describe('compareWith() on the state after a write', () => {
  const tooLate = at('opens', "This must be less than 'closes'.")

  test('compares stored values on either side, and on both', async () => {
    const api = albumsWith((a) => ({ opens: a.integer().compareWith('closes', '<'), closes: a.integer() }), {
      opens: 5,
      closes: 9,
    })
    expectErrors(await patch(api, { opens: 9 }), tooLate)
    expectErrors(await patch(api, { closes: 5 }), tooLate)
    expect((await patch(api, { closes: 20, opens: 19 })).status).toBe(200)
    const broken = albumsWith((a) => ({ opens: a.integer().compareWith('closes', '<'), closes: a.integer() }), {
      opens: 9,
      closes: 5,
    })
    expectErrors(await patch(broken, {}), tooLate)
  })

  test('takes read-only values from the store, whatever the client sends', async () => {
    const api = albumsWith(discounted, { discount: 1, price: 10 })
    const tooMuch = at('discount', "This must be less than or equal to 'price'.")
    expectErrors(await patch(api, { discount: 11, price: 1000 }), tooMuch)
    expect((await patch(api, { discount: 10, price: 1 })).status).toBe(200)
    const created = await api.post('/albums', { body: resourceBody('albums', { discount: 5, price: 1 }) })
    expect(created.status).toBe(201)
  })

  test('null that is sent wins over the stored value', async () => {
    const api = albumsWith((a) => ({ opens: a.integer().compareWith('closes', '<'), closes: a.integer().nullable() }), {
      opens: 5,
      closes: 9,
    })
    expect((await patch(api, { opens: 90, closes: null })).status).toBe(200)
  })
})

test('the resource of a GET response can be sent back, and changes nothing', async () => {
  const api = albumsWith(
    (a) => ({
      title: a.string().required(),
      released: a.dateTime().nullable(),
      at: a.time().nullable(),
      info: a.map().nullable().fields({ label: a.string().nullable(), number: a.string().nullable() }),
      packaging: a.object().nullable().fields({ kind: a.string().required(), code: a.string().readOnly() }),
      medium: a
        .oneOf()
        .nullable()
        .variant('vinyl', { rpm: a.integer().in([33, 45]) }),
      tags: a.arrayList().sorted(),
      extra: a.arrayHash().sortKeys(),
      shout: a.string().computed((row) => `${String(row['title'])}!`),
    }),
    {
      title: 'OK Computer',
      released: new Date('1997-05-21T00:00:00.250Z'),
      at: null,
      label: 'Parlophone',
      packaging: { kind: 'box', code: 'S1' },
      medium: { type: 'vinyl', rpm: 33 },
      tags: ['b', 'a'],
      extra: { b: null, a: { deep: [1, null] } },
    },
  )
  const read = await api.get('/albums/1')
  const written = await api.patch('/albums/1', { body: { data: read.resource } })
  expect(written.status).toBe(200)
  expect(written.resource).toEqual(read.resource)
  expect((await api.get('/albums/1')).text).toBe(read.text)
})
