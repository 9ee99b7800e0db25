import { type ErrorLogger, fail } from 'ashlar'
import { createServer, defineResource, id } from 'ashlar'
import { mapDatabaseError, sqlData, type SqlDataOptions, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../../../../support/client.js'
import type { Engine } from '../open-databases.js'
import { databases, engines } from '../open-databases.js'

interface OrderRow {
  id: number
  status: string | null
  code: string | null
  price: number | null
  host: string | null
  stars: number | null
  mood: string | null
}

const open = databases()

const orders = defineResource('orders', {
  model: table<OrderRow>('orders'),
  id: id(),
  attributes: (a) => ({
    status: a.string().nullable(),
    code: a.string().nullable(),
    price: a.decimal().nullable(),
    host: a.string().nullable(),
    stars: a.integer().nullable(),
    mood: a.string().nullable(),
  }),
})

interface Settings extends Pick<SqlDataOptions, 'mapError'> {
  readonly debug?: boolean
}

async function apiOn(engine: Engine, statements: readonly string[], { debug = false, ...store }: Settings = {}) {
  const { database, options, rows } = await open(engine, statements)
  const [error, info] = [vi.fn<ErrorLogger['error']>(), vi.fn<ErrorLogger['error']>()]
  const data = sqlData(database, { ...options, ...store })
  const api = client(createServer({ resources: [orders], data, logger: { error, info }, debug }))
  const post = (attributes: object) => api.post('/orders', { body: resourceBody('orders', { ...attributes }) })
  return { api, rows, post, error, info }
}

const violation = (pointer: string, detail: string) => ({ status: 422, code: 'VALIDATION_FAILED', pointer, detail })

const plainTable = `create table orders (id serial, status text, code text, price text, host text,
  stars integer check (stars between 1 and 5), mood text check (mood in ('calm', 'it''s fine')))`

describe('on postgres, a value that does not fit is reported at its attribute, with the allowed values', () => {
  const statements = [
    `create type order_status as enum ('open', 'sent')`,
    `create domain rating as integer check (value >= 1 and value <= 5)`,
    `create table orders (id serial, status order_status, code varchar(3), price numeric(5, 2), host inet, stars rating,
      mood text constraint mood_check check (mood in ('calm', 'it''s fine')))`,
  ]

  test.each([
    ['status', 'lost', 'This must be one of open, sent.'],
    ['code', 'abcd', 'This must have at most 3 characters.'],
    ['price', 12345, 'This must be a number with at most 3 digits before the decimal point.'],
    ['host', 'nowhere', 'This is not a valid value of the type inet.'],
    ['stars', 7, 'This must be from 1 to 5.'],
    ['mood', 'wild', "This must be one of calm, it's fine."],
  ])('%s', async (name, value, detail) => {
    const { post, rows } = await apiOn('postgres', statements)
    expectErrors(await post({ [name]: value }), [violation(`/data/attributes/${name}`, detail)])
    expect(await rows('select id from orders')).toEqual([])
  })

  test('several together', async () => {
    const { post } = await apiOn('postgres', statements)
    expectErrors(await post({ status: 'lost', code: 'abcd', host: '::1' }), [
      violation('/data/attributes/status', 'This must be one of open, sent.'),
      violation('/data/attributes/code', 'This must have at most 3 characters.'),
    ])
  })

  test('the text of the database is logged as information, and shown in debug mode', async () => {
    const { post, info, error } = await apiOn('postgres', statements)
    const hidden = await post({ status: 'lost' })
    expect(hidden.text).not.toContain('order_status')
    expect(error).not.toHaveBeenCalled()
    const [entry] = info.mock.calls[0] ?? []
    expect(entry).toMatchObject({ method: 'POST', path: '/orders' })
    const shown = await (await apiOn('postgres', statements, { debug: true })).post({ status: 'lost' })
    expect(shown.document?.errors?.[0]?.meta).toEqual({
      cause: {
        exception: 'DatabaseError',
        message: 'invalid input value for enum order_status: "lost"',
        code: '22P02',
      },
    })
  })
})

describe.each(engines)('on %s', (engine) => {
  test('a check constraint that is understood reports the allowed values', async () => {
    const { post } = await apiOn(engine, [plainTable])
    expectErrors(await post({ stars: 7 }), [violation('/data/attributes/stars', 'This must be from 1 to 5.')])
    expectErrors(await post({ mood: 'wild' }), [
      violation('/data/attributes/mood', "This must be one of calm, it's fine."),
    ])
  })

  const raising =
    engine === 'sqlite'
      ? [
          plainTable,
          `create trigger refuse before insert on orders begin select raise(abort, 'Stock of 3 is too low.'); end`,
        ]
      : [
          plainTable,
          `create function refuse() returns trigger language plpgsql as
            'begin raise exception ''Stock of 3 is too low.''; end'`,
          'create trigger refuse before insert on orders for each row execute function refuse()',
        ]

  test('an error that a trigger raises is 422 of the resource, and its text is only in the log', async () => {
    const { post, info, error } = await apiOn(engine, raising)
    const response = await post({ code: 'a' })
    expectErrors(response, [violation('/data', 'A rule of the database does not allow this.')])
    expect(response.text).not.toContain('Stock')
    expect(error).not.toHaveBeenCalled()
    expect(info.mock.calls[0]?.[0].err).toMatchObject({ cause: { message: 'Stock of 3 is too low.' } })
  })

  test('statements of the application get the error of the database', async () => {
    const { database, options } = await open(engine, raising)
    const { db } = sqlData<{ orders: { code: string } }>(database, options)
    const insert = db.insertInto('orders').values({ code: 'a' }).execute()
    await expect(insert).rejects.toThrow('Stock of 3 is too low.')
  })

  test('a mapper may send the text, or leave the error to the default', async () => {
    const mapped = await apiOn(engine, raising, {
      mapError: ({ kind, message }) => (kind === 'raised' ? fail('VALIDATION_FAILED', { message }) : null),
    })
    expectErrors(await mapped.post({ code: 'a' }), [violation('/data', 'Stock of 3 is too low.')])
    const same = await apiOn(engine, raising, { mapError: mapDatabaseError })
    expectErrors(await same.post({ code: 'a' }), [violation('/data', 'A rule of the database does not allow this.')])
    const unexpected = await apiOn(engine, raising, { mapError: () => null })
    expectErrors(await unexpected.post({ code: 'a' }), [{ status: 500 }])
    expect(unexpected.error).toHaveBeenCalledTimes(1)
  })
})

test('on postgres, row-level security that refuses a row is 403', async () => {
  const { api, error } = await apiOn('postgres', [
    plainTable,
    `insert into orders (code) values ('a')`,
    `create function forbid() returns trigger language plpgsql as
      'begin raise exception using errcode = ''insufficient_privilege'', message = ''no''; end'`,
    'create trigger forbid before update on orders for each row execute function forbid()',
  ])
  expectErrors(await api.patch('/orders/1', { body: resourceBody('orders', { code: 'b' }, '1') }), [
    { status: 403, code: 'FORBIDDEN', detail: 'You are not allowed to do this.', pointer: '/data' },
  ])
  expect(error).not.toHaveBeenCalled()
})

test('on postgres, a trigger may raise with a custom SQLSTATE', async () => {
  const { post, error } = await apiOn('postgres', [
    plainTable,
    `create function refuse() returns trigger language plpgsql as
      'begin raise exception ''Sold out.'' using errcode = ''Z0001''; end'`,
    'create trigger refuse before insert on orders for each row execute function refuse()',
  ])
  expectErrors(await post({ code: 'a' }), [violation('/data', 'A rule of the database does not allow this.')])
  expect(error).not.toHaveBeenCalled()
})

const refusing = (options: string) => [
  plainTable,
  'create unique index one_code on orders (code)',
  `create function refuse() returns trigger language plpgsql as
    'begin raise exception ''Sold out.'' using ${options.replaceAll("'", "''")}; end'`,
  'create trigger refuse before insert on orders for each row execute function refuse()',
]

describe('on postgres, a trigger may raise with an SQLSTATE of the database', () => {
  const mapped: Settings = {
    mapError: ({ kind, message }) => (kind === 'raised' ? fail('VALIDATION_FAILED', { message }) : null),
  }

  test.each([
    "errcode = 'check_violation'",
    "errcode = 'unique_violation'",
    "errcode = 'foreign_key_violation'",
    "errcode = 'not_null_violation'",
    "errcode = 'integrity_constraint_violation'",
    "errcode = 'exclusion_violation'",
    "errcode = 'invalid_parameter_value'",
    "errcode = 'no_data_found'",
    "errcode = 'check_violation', constraint = 'stock', table = 'orders'",
    "errcode = 'unique_violation', constraint = 'stock'",
  ])('%s: the mapper gets it', async (options) => {
    const { post, error, rows } = await apiOn('postgres', refusing(options), mapped)
    expectErrors(await post({ code: 'a' }), [violation('/data', 'Sold out.')])
    expect(error).not.toHaveBeenCalled()
    expect(await rows('select id from orders')).toEqual([])
  })

  test('a constraint of the table that it names is reported as such', async () => {
    const named = "errcode = 'unique_violation', constraint = 'one_code', table = 'orders'"
    const { post } = await apiOn('postgres', refusing(named), mapped)
    const response = await post({ code: 'a' })
    expectErrors(response, [{ status: 422, code: 'VALIDATION_FAILED' }])
    expect(response.text).not.toContain('Sold out')
  })

  test("errcode = 'insufficient_privilege' stays 403", async () => {
    const { post } = await apiOn('postgres', refusing("errcode = 'insufficient_privilege'"))
    expectErrors(await post({ code: 'a' }), [{ status: 403 }])
  })
})

describe('on postgres, the check of a domain', () => {
  const domains = [
    `create domain iata as text check (value ~ '^[A-Z]{3}$')`,
    `create domain even as integer check (value % 2 = 0)`,
    `create domain small_even as even check (value < 100)`,
    `create table orders (id serial, status text, code iata, price small_even, host text, stars even, mood text)`,
  ]
  test.each([
    ['code', 'lhr', 'This must match the regular expression ^[A-Z]{3}$.'],
    ['stars', 7, 'This value cannot be stored.'],
    ['stars', 3_000_000_000, 'This must be a whole number from -2147483648 to 2147483647.'],
    ['price', 7, 'This value cannot be stored.'],
  ])('%s: %s', async (name, value, detail) => {
    const { post } = await apiOn('postgres', domains)
    expectErrors(await post({ [name]: value }), [violation(`/data/attributes/${name}`, detail)])
  })
})
