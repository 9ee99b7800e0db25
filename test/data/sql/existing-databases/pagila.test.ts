import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'
import { pagila } from './pagila.js'
import { pagilaTables } from './pagila-tables.js'
import { identifier, includedIds, linkedIds, type Requests, requestsTo, toMany, toNew, toOne } from './requests.js'

const features = ['Trailers', 'Behind, the "Scenes"']

/** Payments whose key the model does not declare as text. */
function servedPayments(scratch: EmptyDatabase, columns: { readonly paymentDate?: 'instant' }) {
  const payments = defineResource('payments', {
    model: table<{ paymentId: number; paymentDate: Date }>('payment', { columns }),
    id: id(['paymentId', 'paymentDate']),
    readOnly: true,
  })
  return createServer({ resources: [payments], data: sqlData(scratch.database, { naming: 'snake_case' }) })
}

describe.each(emptyDatabases)('Tables with triggers, domains and partitions on %s', (engine, open) => {
  const isPostgres = engine === 'PostgreSQL'
  let scratch: EmptyDatabase
  let requests: Requests
  beforeEach(async () => {
    scratch = await open()
    await scratch.run(pagilaTables(engine))
    requests = requestsTo(pagila(scratch.database, engine))
  })
  afterEach(() => scratch.end())

  const paymentId = (key: number, date: string) => `${key}-${date.replaceAll('-', '~-')}${isPostgres ? '000' : ''}Z`

  test('match the declarations, apart from indexes that only partitions have, which are waived', async () => {
    const server = pagila(scratch.database, engine)
    await server.ready()
    const { missing, unsound, advice, named = [] } = await server.inspect()
    expect({ missing, unsound, advice }).toEqual({ missing: [], unsound: [], advice: [] })
    expect(named.map(({ sentence }) => sentence)).toEqual(
      isPostgres
        ? [
            "The table 'payment' has no index that begins with 'staff_id', by which 'staff.payments' is read.",
            "The table 'payment' has no index that begins with 'customer_id', by which 'customers.payments' is read.",
          ]
        : [],
    )
  })

  test('are read with include, filters, sorts, pages and fieldsets', async () => {
    const films = await requests.get(
      '/films?include=language,actors,categories&fields[films]=title,language,actors&sort=-title',
    )
    expect(films.resources.map((each) => [each.id, linkedIds(each, 'language'), linkedIds(each, 'actors')])).toEqual([
      ['3', ['2'], []],
      ['2', ['1'], ['2']],
      ['1', ['1'], ['1', '2']],
    ])
    expect(includedIds(films, 'actors')).toEqual(['2', '1'])
    expect(await requests.idsOfPages('/films?sort=-releaseYear&page[size]=1')).toEqual(['3', '2', '1'])
    const customers = await requests.get('/customers?include=store.manager,payments,entry')
    expect(customers.resources.map((each) => linkedIds(each, 'payments').length)).toEqual([2, 1])
    expect(includedIds(customers, 'staff')).toEqual(['1', '2'])
    expect(includedIds(customers, 'customer-list')).toEqual(['1', '2'])
  })

  test('an enumeration is filtered, written, and a value outside of it refused', async () => {
    expect(await requests.ids('/films?filter[rating]=PG,NC-17&sort=rating')).toEqual(['2', '1'])
    const changed = await requests.update('films', '3', { attributes: { rating: 'PG-13' } })
    expect(changed.resource.attributes?.['rating']).toBe('PG-13')
    expectErrors(await requests.update('films', '3', { attributes: { rating: 'X' } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/rating' },
    ])
  })

  test('a domain is a number, and its bounds are reported', async () => {
    expect(await requests.ids('/films?filter[releaseYear][max]=2006')).toEqual(['1'])
    const old = await requests.update('films', '1', { attributes: { releaseYear: 1800 } })
    expectErrors(old, [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/releaseYear' }])
    expect(old.errors[0]?.detail).toBe('This must be from 1901 to 2155.')
  })

  test('an array is filtered by its items, and written', async () => {
    expect(await requests.ids('/films?filter[specialFeatures]=Trailers')).toEqual(['1', '2'])
    const changed = await requests.update('films', '3', { attributes: { specialFeatures: features } })
    expect(changed.resource.attributes?.['specialFeatures']).toEqual(features)
    expect((await requests.get('/films/3')).resource.attributes?.['specialFeatures']).toEqual(features)
  })

  test('generated columns and a text search follow what is written', async () => {
    const created = await requests.create('films', {
      attributes: { title: 'Alabama Devil', description: 'A tale of boats', projectedRevenue: 999 },
      relationships: { language: toOne('languages', '1'), actors: toMany('actors', '3', '1') },
    })
    expect(created.resource.attributes).toMatchObject({
      rentalDuration: 3,
      rentalRate: 4.99,
      rating: 'G',
      projectedRevenue: 14.97,
    })
    expect(created.resource.attributes).not.toHaveProperty('fulltext')
    expect(await requests.ids('/films?filter[search]=boats')).toEqual(['4'])
    expect((await requests.get('/films/4?fields[films]=fulltext')).resource.attributes?.['fulltext']).toContain('boat')
    const changed = await requests.update('films', '4', { attributes: { rentalRate: 2 } })
    expect(changed.resource.attributes).toMatchObject({ rentalRate: 2, projectedRevenue: 6 })
    expect(await requests.ids('/films?filter[projectedRevenue][max]=6&sort=-projectedRevenue')).toEqual(['4', '1'])
  })

  test('the response has what a trigger has set', async () => {
    const before = await requests.get('/actors/1')
    expect(before.resource.attributes?.['lastUpdate']).toBe('2022-01-15T10:00:00+00:00')
    const changed = await requests.update('actors', '1', { attributes: { lastName: 'Cruz' } })
    expect(changed.resource.attributes?.['lastUpdate']).not.toBe('2022-01-15T10:00:00+00:00')
    expect((await requests.get('/actors/1')).resource).toEqual(changed.resource)
    const done = await requests.batch(
      { op: 'update', data: { type: 'actors', id: '2', attributes: { lastName: 'A' } } },
      { op: 'add', data: { type: 'actors', attributes: { firstName: 'B', lastName: 'B' } } },
      { op: 'add', data: { type: 'actors', attributes: { firstName: 'C', lastName: 'C' } } },
    )
    const actors = (await requests.get('/actors?filter[id]=2,4,5')).resources
    expect(done.results.map(({ data }) => data)).toMatchObject(
      actors.map(({ id: key, attributes }) => ({ id: key, attributes })),
    )
  })

  test('join rows with more columns are written, and foreign keys decide on deletes', async () => {
    await requests.relate('POST', '/films/3/relationships/actors', toMany('actors', '1', '3').data)
    await requests.relate('PATCH', '/films/1/relationships/actors', toMany('actors', '2').data)
    await requests.relate('PATCH', '/categories/1/relationships/films', toMany('films', '2', '3').data)
    expect(await scratch.rows('select actor_id, film_id from film_actor order by 1, 2')).toEqual([
      { actor_id: 1, film_id: 3 },
      { actor_id: 2, film_id: 1 },
      { actor_id: 2, film_id: 2 },
      { actor_id: 3, film_id: 3 },
    ])
    expect(await requests.ids('/categories/1/films')).toEqual(['2', '3'])
    expectErrors(await requests.remove('/actors/2'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    expect((await requests.remove('/films/2')).status).toBe(204)
  })

  test('two tables that refer to each other are written', async () => {
    await requests.relate('PATCH', '/stores/1/relationships/manager', null)
    await requests.relate('PATCH', '/stores/2/relationships/manager', identifier('staff', '1'))
    await requests.relate('PATCH', '/stores/1/relationships/staff', toMany('staff', '1', '2').data)
    const stores = await requests.get('/stores?include=manager,staff')
    expect(stores.resources.map((each) => [linkedIds(each, 'manager'), linkedIds(each, 'staff')])).toEqual([
      [[], ['1', '2']],
      [['1'], []],
    ])
    expectErrors(await requests.relate('PATCH', '/stores/1/relationships/manager', identifier('staff', '1')), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data' },
    ])
  })

  test('views are read, with names that have spaces', async () => {
    expect((await requests.get('/customer-list/1')).resource.attributes).toEqual({
      name: 'Mary Smith',
      zipCode: '35200',
      notes: 'active',
    })
    expect(await requests.ids('/customer-list?filter[notes]=active')).toEqual(['1'])
    expect(await requests.ids('/customer-list?sort=-name')).toEqual(['2', '1'])
    expect(
      (await requests.get('/sales-by-store?sort=totalSales')).resources.map((each) => each.attributes?.['totalSales']),
    ).toEqual([0.99, 8.98])
    expect((await requests.create('customer-list', { attributes: { name: 'x' } })).status).toBe(405)
  })

  test('rows of a table whose key has a date are found by their ids, and written in their partition', async () => {
    expect(await requests.ids('/payments?filter[paymentDate][min]=2022-02-01&sort=-paymentDate')).toEqual([
      paymentId(3, '2022-02-14T09:00:00.000'),
      paymentId(2, '2022-02-01T00:00:00.000'),
    ])
    const key = paymentId(4, '2022-01-30T10:00:00.000')
    const created = await requests.create('payments', {
      ...(isPostgres ? {} : { id: key }),
      attributes: { paymentDate: '2022-01-30T10:00:00Z', amount: 4.5 },
      relationships: { customer: toOne('customers', '1'), staff: toOne('staff', '1') },
    })
    expect(created.resource.id).toBe(key)
    const changed = await requests.update('payments', key, {
      attributes: created.resource.attributes,
      relationships: { customer: toOne('customers', '2') },
    })
    expect(changed.resource.attributes).toEqual(created.resource.attributes)
    expect(await requests.ids('/customers/2/payments?sort=paymentDate')).toEqual([
      key,
      paymentId(3, '2022-02-14T09:00:00.000'),
    ])
    expect((await requests.remove(`/payments/${key}`)).status).toBe(204)
    expect((await requests.get(`/payments/${key}`)).status).toBe(404)
  })

  test.runIf(isPostgres)(
    'a row for which there is no partition is refused at the column of the partitions',
    async () => {
      const refused = await requests.create('payments', {
        attributes: { paymentDate: '2030-01-30T10:00:00Z', amount: 4.5 },
        relationships: { customer: toOne('customers', '1'), staff: toOne('staff', '1') },
      })
      expectErrors(refused, [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/paymentDate' }])
      expect(refused.errors[0]?.detail).toBe('The database has no partition for this value.')
    },
  )

  test.runIf(isPostgres)('an id has the microseconds of its key', async () => {
    await scratch.run(
      `insert into payment (customer_id, staff_id, amount, payment_date) values (1, 1, 1, '2022-01-24 21:40:19.996577Z')`,
    )
    const key = paymentId(4, '2022-01-24T21:40:19.996').replace('000Z', '577Z')
    expect(await requests.ids('/customers/1/payments')).toContain(key)
    const { resource } = await requests.get(`/payments/${key}`)
    expect(resource.attributes?.['paymentDate']).toBe('2022-01-24T21:40:19.996+00:00')
    const changed = await requests.update('payments', key, { attributes: { ...resource.attributes, amount: 2 } })
    expect(changed.resource).toMatchObject({ id: key, attributes: { amount: 2 } })
    const all = await requests.idsOfPages('/payments?sort=paymentDate&page[size]=1')
    expect(all).toEqual([...new Set(all)])
    expect(all).toHaveLength(4)
  })

  test.runIf(isPostgres)(
    'a key with microseconds that a Date would lose prevents the server from being ready',
    async () => {
      await expect(servedPayments(scratch, {}).ready()).rejects.toThrow(
        new Error(
          "The column 'payment_date' of the table 'payment' may have microseconds, which the id of 'payments' would lose: a resource would not be found by its id. Declare { columns: { paymentDate: 'text' } } in table(), or 'instant' instead of 'text' if it has milliseconds only. [key-digits:payments.id]",
        ),
      )
      await servedPayments(scratch, { paymentDate: 'instant' }).ready()
    },
  )

  test('a batch writes films with actors, or nothing', async () => {
    const film = {
      op: 'add',
      data: {
        type: 'films',
        lid: 'film',
        attributes: { title: 'Batch', specialFeatures: [] },
        relationships: { language: toOne('languages', '2') },
      },
    }
    const done = await requests.batch(
      film,
      {
        op: 'add',
        data: {
          type: 'films',
          attributes: { title: 'Another', rating: 'R' },
          relationships: { language: toOne('languages', '2') },
        },
      },
      { op: 'add', data: { type: 'actors', lid: 'actor', attributes: { firstName: 'A', lastName: 'B' } } },
      { op: 'add', ref: { type: 'films', lid: 'film', relationship: 'actors' }, data: [toNew('actors', 'actor').data] },
      {
        op: 'update',
        ref: { type: 'films', lid: 'film', relationship: 'categories' },
        data: toMany('categories', '1').data,
      },
    )
    expect(done.status).toBe(200)
    const created = await requests.get('/films/4?include=actors,categories')
    expect([includedIds(created, 'actors'), includedIds(created, 'categories')]).toEqual([['4'], ['1']])
    expectErrors(
      await requests.batch(film, { op: 'update', data: { type: 'films', id: '1', attributes: { releaseYear: 1 } } }),
      [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/1/data/attributes/releaseYear' }],
    )
    expect(await requests.ids('/languages/2/films')).toEqual(['3', '4', '5'])
  })
})
