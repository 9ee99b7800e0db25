import { type AttributeKit, createServer, defineResource, id, model, type RequestContext, rule } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { client, resourceBody } from '../support/client.js'

type Row = Record<string, unknown> & { id: number }

/** Albums with one stored row, declared by the test. */
function albumsWith(
  attributes: (kit: AttributeKit<Row>) => Record<never, never>,
  stored: Record<string, unknown>,
): TestClient {
  const albums = defineResource('albums', { model: model<Row>('albums'), id: id(), attributes })
  return client(createServer({ resources: [albums], data: memoryData({ albums: [{ id: 1, ...stored }] }) }))
}

const patch = (api: TestClient, attributes: Record<string, unknown>) =>
  api.patch('/albums/1', { body: resourceBody('albums', attributes, '1') })

const at = (place: string, detail: string) => [
  { status: 422, code: 'VALIDATION_FAILED', pointer: `/data/attributes/${place}`, detail },
]

const isStrict = (_value: unknown, context: RequestContext | null) => context?.request?.header('x-strict') === 'yes'

const discounted = (a: AttributeKit<Row>) => ({
  discount: a.integer().compareWith('price', '<='),
  price: a.integer().readOnly(),
})

const span = (a: AttributeKit<Row>) => ({
  from: a.integer().required().compareWith('to', '<='),
  to: a.integer().nullable().max(100),
  note: a.string().minLength(2),
})

const tooHigh = (place: string) => at(`${place}/from`, "This must be less than or equal to 'to'.")

describe('a PATCH is held against the resource that it leads to', () => {
  test('an untouched value that breaks a rule is refused at its own pointer', async () => {
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

  test('all violations are told at once, those of what is sent and those of what is kept', async () => {
    const api = albumsWith((a) => ({ title: a.string().minLength(3), year: a.integer().min(1900) }), {
      title: 'OK',
      year: 1997,
    })
    expectErrors(await patch(api, { year: 1 }), [
      { status: 422, pointer: '/data/attributes/title' },
      { status: 422, pointer: '/data/attributes/year' },
    ])
  })

  test('a stored null counts as nothing, whether or not null may be sent', async () => {
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

  test('what repeats what a client reads is not stored again in another form', async () => {
    const api = albumsWith(
      (a) => ({
        title: a.string(),
        rounded: a.integer(),
        code: a
          .string()
          .serializeUsing((row) => String(row['code']).slice(1))
          .deserializeUsing((value) => `!${String(value)}`),
        sorted: a.arrayList().sorted(),
        peek: a.arrayHash().computed((row) => ({ rounded: row['rounded'], code: row['code'], sorted: row['sorted'] })),
      }),
      { title: 'OK', rounded: 3.7, code: '#ab', sorted: ['b', 'a'] },
    )
    const { resource } = await api.get('/albums/1')
    const written = await api.patch('/albums/1', {
      body: { data: { ...resource, attributes: { ...resource.attributes, title: 'Kid A' } } },
    })
    expect(written.resource.attributes).toEqual({ ...resource.attributes, title: 'Kid A' })
    expect(written.resource.attributes?.['peek']).toEqual({ rounded: 3.7, code: '#ab', sorted: ['b', 'a'] })
    const rounded = await patch(api, { rounded: 4 })
    expect(rounded.resource.attributes?.['peek']).toMatchObject({ rounded: 4 })
  })

  test('a required value that is empty in the store is refused', async () => {
    const api = albumsWith((a) => ({ title: a.string().required(), year: a.integer() }), { title: '', year: 1997 })
    expectErrors(await patch(api, { year: 1998 }), at('title', 'This must not be empty.'))
  })

  test('rules for one of the two writes hold for untouched values only there', async () => {
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

  test('conditions are asked about untouched values too, with the request', async () => {
    const api = albumsWith((a) => ({ title: a.string().when(isStrict, (field) => field.minLength(3)) }), {
      title: 'OK',
    })
    expect((await patch(api, {})).status).toBe(200)
    const strict = { body: resourceBody('albums', {}, '1'), headers: { 'X-Strict': 'yes' } }
    expectErrors(await api.patch('/albums/1', strict), at('title', 'This must have at least 3 characters.'))
  })

  test('values are held against rules as clients read them', async () => {
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

  test('what a serializer of the author shows is what clients read', async () => {
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
    const data = memoryData({ albums: [{ id: 1, title: 'OK Computer', year: 1997 }] })
    const api = client(createServer({ resources: [albums], data }))
    expect((await patch(api, { year: 1998 })).status).toBe(200)
  })
})

describe('what is left out of the state', () => {
  const tooShort = { secret: 'a', staff: 'a', frozen: 'a', key: 'a' }

  test('values that this client cannot read or may not write: they are not its to mend', async () => {
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

  test('values that are made when they are rendered', async () => {
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

describe('compareWith() on the state that a write leads to', () => {
  const tooLate = at('opens', "This must be less than 'closes'.")

  test('looks at what is kept on either side, and on both', async () => {
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

  test('takes what a client may not write from the store, whatever the client sends of it', async () => {
    const api = albumsWith(discounted, { discount: 1, price: 10 })
    const tooMuch = at('discount', "This must be less than or equal to 'price'.")
    expectErrors(await patch(api, { discount: 11, price: 1000 }), tooMuch)
    expect((await patch(api, { discount: 10, price: 1 })).status).toBe(200)
    const created = await api.post('/albums', { body: resourceBody('albums', { discount: 5, price: 1 }) })
    expect(created.status).toBe(201)
  })

  test('null that is sent wins over what is stored', async () => {
    const api = albumsWith((a) => ({ opens: a.integer().compareWith('closes', '<'), closes: a.integer().nullable() }), {
      opens: 5,
      closes: 9,
    })
    expect((await patch(api, { opens: 90, closes: null })).status).toBe(200)
  })
})

describe('composites are held against their rules as merged', () => {
  test('the columns of a map', async () => {
    const api = albumsWith((a) => ({ span: a.map().fields(span(a)) }), { from: 5, to: 9, note: 'ok' })
    expectErrors(await patch(api, { span: { to: 4 } }), tooHigh('span'))
    expectErrors(await patch(api, { span: { from: 10 } }), tooHigh('span'))
    expect((await patch(api, { span: { from: 10, to: null } })).status).toBe(200)
    expectErrors(
      await patch(api, { span: { from: 11, to: 12, note: 'x' } }),
      at('span/note', 'This must have at least 2 characters.'),
    )
  })

  test('an untouched column of a map is refused at its own pointer', async () => {
    const api = albumsWith((a) => ({ title: a.string(), span: a.map().fields(span(a)) }), {
      title: 'OK',
      from: 5,
      to: 101,
    })
    expectErrors(await patch(api, { title: 'Kid A' }), at('span/to', 'This must be 100 or less.'))
    expectErrors(await patch(api, { span: { from: 6 } }), at('span/to', 'This must be 100 or less.'))
    expect((await patch(api, { span: { to: 100 } })).status).toBe(200)
  })

  test('the members of an object, to any depth', async () => {
    const api = albumsWith(
      (a) => ({
        outer: a.object().fields({
          span: a.object().fields(span(a)),
          columns: a.map().fields({ low: a.integer().compareWith('high', '<'), high: a.integer() }),
        }),
      }),
      { outer: { span: { from: 5, to: 9, note: 'ok' }, low: 1, high: 2 } },
    )
    expectErrors(await patch(api, { outer: { span: { to: 4 } } }), tooHigh('outer/span'))
    expectErrors(
      await patch(api, { outer: { columns: { high: 1 } } }),
      at('outer/columns/low', "This must be less than 'high'."),
    )
    const { resource } = await patch(api, { outer: { span: { to: 50 }, columns: { high: 3 } } })
    expect(resource.attributes?.['outer']).toEqual({
      span: { from: 5, to: 50, note: 'ok' },
      columns: { low: 1, high: 3 },
    })
  })

  test('the same variant of a oneOf; another starts afresh', async () => {
    const api = albumsWith(
      (a) => ({
        span: a
          .oneOf()
          .variant('years', span(a))
          .variant('days', { from: a.integer().compareWith('to', '<='), to: a.integer() }),
      }),
      { span: { type: 'years', from: 5, to: 9 } },
    )
    expectErrors(await patch(api, { span: { type: 'years', to: 4 } }), tooHigh('span'))
    expect((await patch(api, { span: { type: 'days', to: 4 } })).resource.attributes?.['span']).toEqual({
      type: 'days',
      from: null,
      to: 4,
    })
    expectErrors(await patch(api, { span: { type: 'years', to: 4 } }), at('span/from', 'This is required.'))
  })

  test('an object is one value, so what is required in it must be in what results', async () => {
    const api = albumsWith(
      (a) => ({
        title: a.string(),
        span: a.object().fields({
          ...span(a),
          secret: a.string().required().writeOnly(),
          made: a.string().requiredOnCreate(),
          changed: a.string().requiredOnUpdate(),
        }),
      }),
      { title: 'OK', span: { to: 9, secret: 'hash' } },
    )
    const missing = at('span/from', 'This is required.')
    expectErrors(await patch(api, { span: { to: 8 } }), missing)
    expectErrors(await patch(api, { title: 'Kid A' }), missing)
    expect((await patch(api, { span: { from: 1 } })).status).toBe(200)
    expect((await patch(api, { title: 'Kid A' })).status).toBe(200)
  })

  test('a map that holds nothing is not there, and not asked for what is required in it', async () => {
    const api = albumsWith(
      (a) => ({
        outer: a.object().fields({ note: a.string(), span: a.map().fields({ from: a.integer().required() }) }),
      }),
      { outer: { note: 'ok' } },
    )
    expect((await patch(api, { outer: { note: 'yes' } })).status).toBe(200)
    expect((await patch(api, {})).status).toBe(200)
    expectErrors(await patch(api, { outer: { span: {} } }), at('outer/span/from', 'This is required.'))
  })

  test('rules of the whole see the whole, with members that the client may not write as they are stored', async () => {
    const whole = z.strictObject({
      kind: z.string(),
      weight: z.number().nullable(),
      code: z.string().startsWith('S', 'Begin with an S.'),
    })
    const api = albumsWith(
      (a) => ({
        packaging: a
          .object()
          .fields({ kind: a.string(), weight: a.integer().nullable(), code: a.string().readOnly() })
          .check(whole),
      }),
      { packaging: { kind: 'box', weight: null, code: 'S1' } },
    )
    expect((await patch(api, { packaging: { kind: 'sleeve', code: 'x' } })).status).toBe(200)
    expectErrors(await patch(api, { packaging: { strange: 1 } }), [
      { status: 422, pointer: '/data/attributes/packaging' },
    ])
  })

  test('lists and open objects are replaced as a whole', async () => {
    const api = albumsWith((a) => ({ tags: a.arrayList().minItems(2), extra: a.arrayHash().minProperties(2) }), {
      tags: ['a', 'b'],
      extra: { a: 1, b: 2 },
    })
    expectErrors(await patch(api, { tags: ['c'], extra: { c: 1 } }), [
      { status: 422, pointer: '/data/attributes/tags', detail: 'This must have at least 2 items.' },
      { status: 422, pointer: '/data/attributes/extra', detail: 'This must have at least 2 members.' },
    ])
  })

  test('null clears an object, and makes the next one new', async () => {
    const api = albumsWith((a) => ({ span: a.object().nullable().fields(span(a)) }), {
      span: { from: 5, to: 9, note: 'ok' },
    })
    expect((await patch(api, { span: null })).status).toBe(200)
    expectErrors(await patch(api, { span: { to: 9 } }), at('span/from', 'This is required.'))
  })

  test('an object that a function of the author stores is not merged, and must be whole', async () => {
    const api = albumsWith(
      (a) => ({
        span: a
          .object()
          .fields(span(a))
          .deserializeUsing((value) => ({ ...(value as object), by: 'hand' })),
      }),
      { span: { from: 5, to: 9, note: 'ok' } },
    )
    expectErrors(await patch(api, { span: { to: 4 } }), at('span/from', 'This is required.'))
    expect((await patch(api, { span: { from: 1, to: 4 } })).resource.attributes?.['span']).toEqual({
      from: 1,
      to: 4,
      note: null,
    })
  })
})

test('what a GET answers can be sent back, and changes nothing', async () => {
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
