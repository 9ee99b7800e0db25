import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter, type TestClient } from 'ashlar/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { byName, own } from '../../../support/named-callers.js'
import { databases, engines } from '../write/open-databases.js'

/** How many statements a list takes if abilities decide which fields its rows show. */

const open = databases()

const tables: readonly string[] = [
  'create table users (id serial, name text not null)',
  'create table albums (id serial, title text not null, "ownerId" integer not null references users (id))',
  'create table tracks (id serial, title text not null, "albumId" integer not null references albums (id))',
  "insert into users (name) values ('Alice'), ('Bob')",
  "insert into albums (title, \"ownerId\") values ('One', 1), ('Two', 2), ('Three', 1), ('Four', 2)",
  "insert into tracks (title, \"albumId\") values ('Airbag', 1), ('Lucky', 2)",
]

describe.each(engines)('On %s', (engine) => {
  const counter = statementCounter()
  let api: TestClient

  beforeAll(async () => {
    const { database, options } = await open(engine, tables)
    const users = defineResource('users', {
      model: table<{ readonly id: number; readonly name: string }>('users'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      policy: 'public',
    })
    const tracks = defineResource('tracks', {
      model: table<{ readonly id: number; readonly title: string; readonly albumId: number }>('tracks'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      policy: 'public',
    })
    const albums = defineResource('albums', {
      model: table<{ readonly id: number; readonly title: string; readonly ownerId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: {
        owner: belongsTo('users').via('ownerId').security({ read: 'update' }),
        tracks: hasMany('tracks').via('albumId').visibleIf('promote').sparseByDefault(),
      },
      policy: (p) => ({
        viewAny: true,
        view: true,
        update: own,
        custom: { promote: p.related('tracks', (q) => q.eq('title', 'Airbag')) },
      }),
    })
    const data = sqlData(database, { ...options, onStatement: counter.onStatement })
    api = client(createServer({ resources: [users, tracks, albums], data, middleware: [byName] }))
    // The tables are looked up once.
    await api.get('/albums')
  })

  const count = async (path: string): Promise<number> => {
    const headers = { Authorization: 'alice' }
    const ran = await counter.during(async () => expect((await api.get(path, { headers })).status).toBe(200))
    return ran.length
  }

  test('columns of the rows decide without a further statement', async () => {
    expect(await count('/albums?fields[albums]=title,owner')).toBe(1)
    expect(await count('/albums/2?fields[albums]=title,owner')).toBe(1)
    expect(await count('/albums?fields[albums]=title,owner&include=owner')).toBe(2)
  })

  test('a rule about related rows takes one further statement for all rows', async () => {
    expect(await count('/albums?fields[albums]=title,tracks')).toBe(2)
    expect(await count('/albums?fields[albums]=title')).toBe(1)
  })
})
