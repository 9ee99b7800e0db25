import type { AttributeKit } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { albumsWith, at, patch, type Row } from '../support/merged-albums.js'

const span = (a: AttributeKit<Row>) => ({
  from: a.integer().required().compareWith('to', '<='),
  to: a.integer().nullable().max(100),
  note: a.string().minLength(2),
})

const tooHigh = (path: string) => at(`${path}/from`, "This must be less than or equal to 'to'.")

describe('composites are checked against their rules after merging', () => {
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

  test('the same variant of a oneOf; another starts empty', async () => {
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

  test('an object is one value, so its required members must be in the result', async () => {
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

  test('an empty map counts as absent, and its required members are not checked', async () => {
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

  test('rules of the whole see the whole, with read-only members as they are stored', async () => {
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

  test('null clears an object, and the next one is new', async () => {
    const api = albumsWith((a) => ({ span: a.object().nullable().fields(span(a)) }), {
      span: { from: 5, to: 9, note: 'ok' },
    })
    expect((await patch(api, { span: null })).status).toBe(200)
    expectErrors(await patch(api, { span: { to: 9 } }), at('span/from', 'This is required.'))
  })

  test('a value that a PATCH creates inside a resource is checked against the rules for creating', async () => {
    const api = albumsWith(
      (a) => ({
        medium: a
          .object()
          .nullable()
          .fields({
            code: a
              .string()
              .onCreate((field) => field.minLength(3))
              .onUpdate((field) => field.maxLength(4)),
            made: a.string().requiredOnCreate(),
          }),
      }),
      { medium: null },
    )
    expectErrors(await patch(api, { medium: { code: 'ab' } }), [
      { status: 422, pointer: '/data/attributes/medium/code', detail: 'This must have at least 3 characters.' },
      { status: 422, pointer: '/data/attributes/medium/made', detail: 'This is required.' },
    ])
    expect((await patch(api, { medium: { code: 'abcd', made: 'x' } })).status).toBe(200)
    expect((await patch(api, { medium: { code: 'ab' } })).status).toBe(200)
    expectErrors(
      await patch(api, { medium: { code: 'abcde' } }),
      at('medium/code', 'This must have at most 4 characters.'),
    )
  })

  test('an object that is stored in another form is not checked for members that clients cannot read', async () => {
    const api = albumsWith(
      (a) => ({
        title: a.string(),
        medium: a
          .object()
          .fields({ kind: a.string().required(), key: a.string().required().writeOnly() })
          .extractUsing((row) => JSON.parse(String(row['medium'])) as never),
      }),
      { title: 'OK', medium: '{"kind":"vinyl","key":"secret"}' },
    )
    expect((await patch(api, { title: 'Kid A' })).status).toBe(200)
    expectErrors(await patch(api, { medium: { kind: 'cd' } }), at('medium/key', 'This is required.'))
  })

  test('an object that a user-defined function stores is not merged, and must be complete', async () => {
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
