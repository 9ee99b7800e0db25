import { belongsToMany, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type OwnDatabase, ownDatabases } from '../../../support/own-databases.js'

describe.each(ownDatabases)('On %s', (engine, open) => {
  let own: OwnDatabase
  beforeEach(async () => {
    own = await open()
  })
  afterEach(() => own.end())

  test('two types over one table call a column as each likes, in reads and writes', async () => {
    await own.run('create table albums (id integer primary key, t text, note text)')
    const albums = defineResource('albums', {
      model: table<{ id: number; title: string }>('albums', { columns: { title: { name: 't' } } }),
      id: id().allowClientId(),
      attributes: (a) => ({ title: a.string().sortable() }),
    })
    const texts = defineResource('texts', {
      model: table<{ id: number; heading: string; title: string }>('albums', {
        columns: { heading: { name: 't' }, title: { name: 'note' } },
      }),
      id: id().allowClientId(),
      attributes: (a) => ({ heading: a.string(), title: a.string().sortable() }),
    })
    const server = createServer({ resources: [albums, texts], data: sqlData(own.database) })
    await server.ready()
    const api = client(server)
    const attributesOf = async (path: string): Promise<unknown> => {
      const answer = await api.get(path)
      expect(answer.status).toBe(200)
      return answer.resource.attributes
    }
    await api.post('/albums', { body: { data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } } })
    await api.post('/texts', {
      body: { data: { type: 'texts', id: '2', attributes: { heading: 'Amnesiac', title: 'note' } } },
    })
    await api.patch('/albums/1', { body: { data: { type: 'albums', id: '1', attributes: { title: 'KID A' } } } })
    await api.patch('/texts/1', { body: { data: { type: 'texts', id: '1', attributes: { title: 'first' } } } })
    expect(await attributesOf('/albums/1')).toEqual({ title: 'KID A' })
    expect(await attributesOf('/texts/1')).toEqual({ heading: 'KID A', title: 'first' })
    expect(await attributesOf('/albums/2')).toEqual({ title: 'Amnesiac' })
    expect(await attributesOf('/texts/2')).toEqual({ heading: 'Amnesiac', title: 'note' })
    const sorted = async (path: string): Promise<unknown> => (await api.get(path)).resources.map((each) => each.id)
    expect(await sorted('/albums?sort=title')).toEqual(['2', '1'])
    expect(await sorted('/texts?sort=title')).toEqual(['1', '2'])
  })

  test('tables of one name in two schemas are two, also of join rows', async () => {
    const [first, second] = ['first_shop', 'second_shop']
    for (const [schema, name] of [
      [first, 'One'],
      [second, 'Two'],
    ] as const) {
      await own.run(engine === 'SQLite' ? `attach ':memory:' as ${schema}` : `create schema ${schema}`)
      await own.run(`
        create table ${schema}.albums (id integer primary key, title text);
        create table ${schema}.twins (a integer, b integer, primary key (a, b));
        insert into ${schema}.albums values (1, '${name}'), (2, '${name}, again');
      `)
    }
    await own.run(`insert into ${second}.twins values (1, 2)`)
    const [ones, twos] = [first, second].map((schema, index) => {
      const type = index === 0 ? 'ones' : 'twos'
      return defineResource(type, {
        model: table<{ id: number; title: string }>('albums', { schema }),
        id: id(),
        attributes: (a) => ({ title: a.string() }),
        relations: {
          twins: belongsToMany(type).through(table<{ a: number; b: number }>('twins', { schema, key: ['a', 'b'] }), {
            owner: 'a',
            member: 'b',
          }),
        },
      })
    })
    if (ones === undefined || twos === undefined) throw new Error('There are two.')
    const api = client(createServer({ resources: [ones, twos], data: sqlData(own.database) }))
    try {
      const documentOf = async (path: string): Promise<unknown> => (await api.get(path)).document
      expect(await documentOf('/ones/1')).toMatchObject({ data: { attributes: { title: 'One' } } })
      expect(await documentOf('/twos/1')).toMatchObject({ data: { attributes: { title: 'Two' } } })
      expect(await documentOf('/ones/1/twins')).toMatchObject({ data: [] })
      expect(await documentOf('/twos/1/twins')).toMatchObject({ data: [{ attributes: { title: 'Two, again' } }] })
    } finally {
      if (engine !== 'SQLite') await own.run(`drop schema ${first} cascade; drop schema ${second} cascade`)
    }
  })
})
