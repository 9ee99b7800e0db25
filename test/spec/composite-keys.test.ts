import { atomic, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { shop, shopRows } from '../support/order-lines.js'
import { storedData } from '../support/stored-data.js'

const media = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const batch = (api: TestClient, operations: readonly object[]) =>
  api.post('/operations', {
    body: { 'atomic:operations': operations },
    headers: { 'Content-Type': media, Accept: media },
  })
const idsIn = async (api: TestClient, path: string) => (await api.get(path)).resources.map((resource) => resource.id)

const openShop = () => client(createServer({ resources: shop, data: storedData(shopRows), extensions: [atomic()] }))
const attributes = { quantity: 2 }
const add = (lineOf: string) => ({ op: 'add', data: { type: 'lines', id: lineOf, attributes } })
const ref = (lineOf: string) => ({ ref: { type: 'lines', id: lineOf } })

describe('a batch', () => {
  test('creates resources whose key is made of local ids', async () => {
    const api = openShop()
    const ofLine = { data: { type: 'lines', lid: 'line' } }
    const response = await batch(api, [
      { op: 'add', data: { type: 'orders', lid: 'order', attributes: { customer: 'Dot' } } },
      {
        op: 'add',
        data: {
          type: 'lines',
          lid: 'line',
          attributes,
          relationships: {
            order: { data: { type: 'orders', lid: 'order' } },
            product: { data: { type: 'products', id: '11' } },
          },
        },
      },
      { op: 'add', data: { type: 'claims', attributes: { text: 'New' }, relationships: { line: ofLine } } },
      { op: 'update', data: { type: 'lines', lid: 'line', attributes: { quantity: 3 } } },
    ])
    expect(response.status).toBe(200)
    const [order, created, claim] = response.results.map(({ data }) => (data as { id: string }).id)
    expect(created).toBe(`${order}-11`)
    const { resource } = await api.get(`/claims/${claim}?include=line`)
    expect(resource.relationships?.['line']?.data).toEqual({ type: 'lines', id: created })
    expect((await api.get(`/lines/${created}`)).resource.attributes).toMatchObject({ quantity: 3 })
  })

  test('creates several in a row, updates and deletes them', async () => {
    const api = openShop()
    const response = await batch(api, [
      ...['2-2', '2-11', '10-1', '10-11'].map(add),
      { op: 'update', ...ref('2-2'), data: { type: 'lines', id: '2-2', attributes: { quantity: 9 } } },
      { op: 'remove', ...ref('10-11') },
    ])
    expect(response.status).toBe(200)
    expect(await idsIn(api, '/lines?page[size]=100')).toEqual([
      '1-1',
      '1-2',
      '1-11',
      '2-1',
      '2-2',
      '2-11',
      '10-1',
      '10-2',
    ])
  })

  test('is rolled back if one of the keys is taken', async () => {
    const api = openShop()
    expectErrors(await batch(api, ['2-2', '2-11', '1-2'].map(add)), [
      {
        status: 409,
        code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS',
        pointer: '/atomic:operations/2/data/id',
      },
    ])
    expect(await idsIn(api, '/lines?page[size]=100')).toEqual(['1-1', '1-2', '1-11', '2-1', '10-2'])
  })
})

interface RoomRow {
  house: string
  room: string
  size: number
  deletedAt: Date | null
}

const rooms = defineResource('rooms', {
  model: model<RoomRow>('rooms', { key: ['house', 'room'], columns: ['house', 'room', 'size', 'deletedAt'] }),
  id: id().requireClientId(),
  attributes: (a) => ({ size: a.integer().sortable() }),
  relations: { keys: hasMany('keys').via(['house', 'room']).withData() },
  softDeletes: true,
})
const keys = defineResource('keys', {
  model: model<{ id: number; house: string | null; room: string | null }>('keys', { columns: ['id', 'house', 'room'] }),
  id: id(),
  relations: { room: belongsTo('rooms').via(['house', 'room']).nullable() },
})
const roomRows = {
  rooms: [
    { house: 'a-b', room: 'c', size: 1, deletedAt: null },
    { house: 'a', room: 'b-c', size: 2, deletedAt: null },
    { house: 'a~', room: '-', size: 3, deletedAt: null },
    { house: 'x,y', room: '"z"', size: 4, deletedAt: null },
    { house: '', room: 'ü/é', size: 5, deletedAt: null },
  ],
  keys: [
    { id: 1, house: 'a-b', room: 'c' },
    { id: 2, house: 'a', room: 'b-c' },
    { id: 3, house: 'a', room: null },
  ],
}

const openRooms = () => client(createServer({ resources: [rooms, keys], data: storedData(roomRows) }))

describe('texts in a composite key', () => {
  const wireIds = ['a~-b-c', 'a-b~-c', 'a~~-~-', 'x,y-"z"', '-ü/é']

  test.each(wireIds.map((wireId, index) => [wireId, index + 1] as const))(
    'are distinguished, and escaped: %s',
    async (wireId, size) => {
      const { resource } = await openRooms().get(`/rooms/${encodeURIComponent(wireId)}`)
      expect([resource.id, resource.attributes]).toEqual([wireId, { size }])
    },
  )

  test.each(['a-b-c', 'a~-b~-c', 'a~b-c', 'a-b-~-c'])('have no other spelling: %s', async (other) => {
    expectErrors(await openRooms().get(`/rooms/${other}`), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('refer to related resources, and an incomplete key refers to nothing', async () => {
    const api = openRooms()
    const linkage = async (key: number) => (await api.get(`/keys/${key}`)).resource.relationships?.['room']?.data
    expect(await linkage(1)).toEqual({ type: 'rooms', id: 'a~-b-c' })
    expect(await linkage(2)).toEqual({ type: 'rooms', id: 'a-b~-c' })
    expect(await linkage(3)).toBeNull()
    expect(await idsIn(api, '/rooms/a~-b-c/keys')).toEqual(['1'])
  })

  test('are the key of soft-deleted rows', async () => {
    const api = openRooms()
    expect((await api.delete('/rooms/a~-b-c')).status).toBe(204)
    expectErrors(await api.get('/rooms/a~-b-c'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expect((await api.get('/rooms/a-b~-c')).status).toBe(200)
    expect((await api.get('/keys/1')).resource.relationships?.['room']?.data).toBeNull()
    expect((await api.post('/rooms/a~-b-c/-actions/restore')).status).toBe(200)
    expect((await api.post('/rooms/a~-b-c/-actions/force-delete')).status).toBe(204)
    expect(await idsIn(api, '/rooms?sort=size')).toEqual(wireIds.slice(1))
  })
})

interface TaskRow {
  tenant: number
  number: number
  title: string
  projectNumber: number | null
}

const tenants = defineResource('tenants', {
  model: model<{ id: number; name: string }>('tenants', { columns: ['id', 'name'] }),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})
const projects = defineResource('projects', {
  model: model<{ tenant: number; number: number; name: string }>('projects', { columns: ['tenant', 'number', 'name'] }),
  id: id(['tenant', 'number']),
  attributes: (a) => ({ name: a.string(), number: a.integer().required() }),
  relations: {
    tenant: belongsTo('tenants').via('tenant').required(),
    tasks: hasMany('tasks').via(['tenant', 'projectNumber']),
  },
})
const tasks = defineResource('tasks', {
  model: model<TaskRow>('tasks', { columns: ['tenant', 'number', 'title', 'projectNumber'] }),
  id: id(['tenant', 'number']),
  attributes: (a) => ({ title: a.string(), number: a.integer().required() }),
  relations: {
    tenant: belongsTo('tenants').via('tenant').required(),
    project: belongsTo('projects').via(['tenant', 'projectNumber']).nullable(),
  },
})
const tenantRows = {
  tenants: [
    { id: 1, name: 'A' },
    { id: 2, name: 'B' },
  ],
  projects: [
    { tenant: 1, number: 1, name: 'One' },
    { tenant: 1, number: 2, name: 'Two' },
    { tenant: 2, number: 1, name: 'Other' },
  ],
  tasks: [
    { tenant: 1, number: 1, title: 'Plan', projectNumber: 1 },
    { tenant: 1, number: 2, title: 'Build', projectNumber: null },
    { tenant: 2, number: 1, title: 'Rest', projectNumber: 1 },
  ],
}

const openTenants = () => client(createServer({ resources: [tenants, projects, tasks], data: storedData(tenantRows) }))
const project = (ofTask: string) => ({ data: { type: 'projects', id: ofTask } })
const task = (key: string) => ({ body: { data: [{ type: 'tasks', id: key }] } })
const immutable = (pointer: string) => [{ status: 403, code: 'RESOURCE_ID_IMMUTABLE', pointer }]

describe('a foreign key that shares a column with the id', () => {
  test('is set and cleared without a change of the id', async () => {
    const api = openTenants()
    const path = '/tasks/1-1/relationships/project'
    expect((await api.patch(path, { body: project('1-2') })).status).toBeLessThan(300)
    expect((await api.get(path)).document?.data).toEqual(project('1-2').data)
    expect((await api.patch(path, { body: { data: null } })).status).toBeLessThan(300)
    expect((await api.get(path)).document?.data).toBeNull()
    expect(await idsIn(api, '/tasks')).toEqual(['1-1', '1-2', '2-1'])
  })

  test('is set and cleared from the other side', async () => {
    const api = openTenants()
    expect((await api.post('/projects/1-1/relationships/tasks', task('1-2'))).status).toBeLessThan(300)
    expect(await idsIn(api, '/projects/1-1/tasks')).toEqual(['1-1', '1-2'])
    expect((await api.delete('/projects/1-1/relationships/tasks', task('1-1'))).status).toBeLessThan(300)
    expect(await idsIn(api, '/projects/1-1/tasks')).toEqual(['1-2'])
    expect(await idsIn(api, '/tasks')).toEqual(['1-1', '1-2', '2-1'])
  })

  test('does not move a resource to another id', async () => {
    const api = openTenants()
    expectErrors(await api.patch('/tasks/1-1/relationships/project', { body: project('2-1') }), immutable('/data'))
    const body = { data: [{ type: 'tasks', id: '2-1' }] }
    expectErrors(await api.post('/projects/1-1/relationships/tasks', { body }), immutable('/data/0'))
    const data = { type: 'tasks', id: '1-1', attributes: { number: 7 } }
    expectErrors(await api.patch('/tasks/1-1', { body: { data } }), immutable('/data/attributes/number'))
  })

  test('is sent with an attribute and a relationship that determine the id', async () => {
    const api = openTenants()
    const tenant = { data: { type: 'tenants', id: '2' } }
    const data = (ofTask: string) => ({
      type: 'tasks',
      attributes: { title: 'New', number: 5 },
      relationships: { tenant, project: project(ofTask) },
    })
    const created = await api.post('/tasks', { body: { data: data('2-1') } })
    expect([created.status, created.resource.id]).toEqual([201, '2-5'])
    expectErrors(await api.post('/tasks', { body: { data: data('1-1') } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/project/data' },
    ])
    const again = { ...data('2-1'), attributes: { title: 'Again', number: 5 } }
    expectErrors(await api.post('/tasks', { body: { data: again } }), [
      { status: 409, code: 'RESOURCE_ALREADY_EXISTS', pointer: '/data/attributes/number' },
    ])
  })
})

test('relations of a composite key are counted', async () => {
  const server = createServer({ resources: shop, data: storedData(shopRows), profiles: [countableProfile] })
  const headers = { accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }
  const { resources } = await client(server).get('/lines?withCount=claims&page[size]=100', { headers })
  expect(resources.map((each) => [each.id, each.relationships?.['claims']?.meta])).toEqual([
    ['1-1', { total: 0 }],
    ['1-2', { total: 2 }],
    ['1-11', { total: 0 }],
    ['2-1', { total: 1 }],
    ['10-2', { total: 0 }],
  ])
})
