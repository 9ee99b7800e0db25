import {
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  model,
  type AnyResource,
} from 'ashlar'
import { sqlData, type RanStatement, type TableModel, table } from 'ashlar/sql'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Expression, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { client } from '../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../support/empty-databases.js'

interface ArtistRow {
  id: number
  name: string
  trackCount: number
}

const one = (): Expression<unknown> => sql`1`

const counting = (expression = one): TableModel<ArtistRow> =>
  table<ArtistRow>('artists', { columns: { trackCount: { type: 'integer', computed: expression } } })

const artistsOf = (rows: TableModel<ArtistRow>) =>
  defineResource('artists', {
    model: rows,
    id: id(),
    attributes: (a) => ({ name: a.string(), trackCount: a.integer().readOnly().sortable().unique() }),
    pagination: cursorPage({ size: 10 }),
  })

const broken = (): never => {
  throw new Error('Not today.')
}

const building =
  (...resources: readonly AnyResource[]) =>
  (): void => {
    const database = new DatabaseSync(':memory:')
    try {
      createServer({ resources: resources as never, data: sqlData(database, { tables: [counting()] }) })
    } finally {
      database.close()
    }
  }

describe('The model of a table with a column that is computed', () => {
  test('knows the members of its rows, and the types of column values', () => {
    table<ArtistRow>('artists', {
      columns: {
        trackCount: {
          type: 'integer',
          computed({ column, engine }) {
            expectTypeOf(column('name')).toExtend<Expression<string>>()
            expectTypeOf(engine).toEqualTypeOf<'postgres' | 'sqlite' | 'mysql' | 'mariadb'>()
            return sql`length(${column('name')})`
          },
        },
      },
    })
    // @ts-expect-error 'nam' is no member.
    table<ArtistRow>('artists', { columns: { name: { type: 'text', computed: ({ column }) => column('nam') } } })
  })

  test('refuses in a sentence what the compiler would refuse', () => {
    const computed = one
    // @ts-expect-error It has a type.
    expect(() => table<ArtistRow>('artists', { columns: { trackCount: { computed } } })).toThrow(
      "table('artists') computes 'trackCount' without a type: declare the type of the expression, as in type: 'integer'.",
    )
    // @ts-expect-error It has no name.
    expect(() => table<ArtistRow>('artists', { columns: { name: { type: 'text', name: 'n', computed } } })).toThrow(
      "table('artists') computes 'name' and gives it a name, which only stored columns have.",
    )
    // @ts-expect-error It is a function.
    expect(() => table<ArtistRow>('artists', { columns: { name: { type: 'text', computed: '1' } } })).toThrow(
      "table('artists') computes 'name' with a value that is not a function: use computed: ({ column }) => sql`…`.",
    )
  })

  test('cannot have it as its key', () => {
    const columns = { trackCount: { type: 'integer', computed: one } } as const
    const faults =
      "table('artists') computes 'trackCount' and makes it part of a key, which must consist of stored columns."
    expect(() => table<ArtistRow>('artists', { key: 'trackCount', columns })).toThrow(faults)
    const foreignKeys = [{ columns: ['trackCount'] as const, model: 'counts', references: ['id'] }]
    expect(() => table<ArtistRow>('artists', { foreignKeys, columns })).toThrow(faults)
  })
})

describe('No server is built', () => {
  test('where clients may write an attribute that is computed', () => {
    const artists = defineResource('artists', {
      model: counting(),
      id: id(),
      attributes: (a) => ({ trackCount: a.integer().readOnlyOnCreate() }),
    })
    expect(building(artists)).toThrow(
      "data: cannot write the attribute 'trackCount' of 'artists', since the database computes 'trackCount'. Remedy: call readOnly() on it, or store it in another column.",
    )
  })

  test('where the model is only named', () => {
    const artists = defineResource('artists', {
      model: model<ArtistRow>('artists'),
      id: id(),
      attributes: (a) => ({ tracks: a.integer().storedAs('trackCount') }),
    })
    expect(building(artists)).toThrow("cannot write the attribute 'tracks' of 'artists'")
  })

  test('where clients may write there from another type, or in a join row', () => {
    const artists = defineResource('artists', {
      model: counting(),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    })
    const albums = defineResource('albums', {
      model: table<{ id: number; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ tracks: a.integer().on('artist').storedAs('trackCount') }),
      relations: { artist: belongsTo('artists') },
    })
    expect(building(artists, albums)).toThrow("cannot write the attribute 'tracks' of 'albums'")
    const friendships = table<{ id: number; friendId: number; years: number }>('friendships', {
      columns: { years: { type: 'integer', computed: one } },
    })
    const friends = defineResource('artists', {
      model: counting(),
      id: id(),
      relations: {
        friends: belongsToMany('artists')
          .through(friendships, { owner: 'id', member: 'friendId' })
          .fields((a) => ({ years: a.integer() })),
      },
    })
    expect(building(friends)).toThrow(
      "cannot write the relation 'friends' of 'artists', since the database computes 'years'",
    )
  })

  test('where rows would be looked up by a computed column', () => {
    const artists = defineResource('artists', { model: counting(), id: id('trackCount') })
    expect(building(artists)).toThrow(
      "data: cannot find rows by the id of 'artists', since the database computes 'trackCount'. Remedy: name a column that the table has.",
    )
    const friends = defineResource('artists', {
      model: counting(),
      id: id(),
      relations: { friends: hasMany('artists').via('trackCount') },
    })
    expect(building(friends)).toThrow("cannot find rows by the relation 'friends' of 'artists'")
  })

  test('unless nothing writes it, or a function does', () => {
    const readOnly = defineResource('artists', {
      model: counting(),
      id: id(),
      attributes: (a) => ({ trackCount: a.integer() }),
      readOnly: true,
    })
    expect(building(readOnly)).not.toThrow()
    const filled = defineResource('artists', {
      model: counting(),
      id: id(),
      attributes: (a) => ({ trackCount: a.integer().fillUsing(() => ({})) }),
    })
    expect(building(filled)).not.toThrow()
  })
})

describe.each(emptyDatabases)('On %s', (engine, open) => {
  let scratch: EmptyDatabase
  beforeEach(async () => {
    scratch = await open()
    const key = engine === 'PostgreSQL' ? 'integer generated by default as identity primary key' : 'integer primary key'
    await scratch.run(`create table artists (id ${key}, name text)`)
  })
  afterEach(() => scratch.end())

  const missing = async (rows: TableModel<ArtistRow>): Promise<readonly string[]> => {
    const data = sqlData(scratch.database, { naming: 'snake_case' })
    return (await createServer({ resources: [artistsOf(rows)], data }).inspect()).missing
  }

  test('a computed column needs none in the table, and no index', async () => {
    const data = sqlData(scratch.database)
    const {
      missing: lacking,
      unsound,
      advice,
    } = await createServer({
      resources: [artistsOf(counting())],
      data,
    }).inspect()
    expect({ lacking, unsound, advice }).toEqual({ lacking: [], unsound: [], advice: [] })
  })

  test('it is reported if the table has one too, and the expression is used', async () => {
    await scratch.run('alter table artists add column track_count integer')
    expect(await missing(counting())).toEqual([
      "The table 'artists' has a column 'track_count', and its model computes 'trackCount': remove 'computed', or rename the member.",
    ])
    await scratch.run("insert into artists (name, track_count) values ('Radiohead', 7)")
    const data = sqlData(scratch.database, { naming: 'snake_case' })
    const api = client(createServer({ resources: [artistsOf(counting())], data }))
    expect((await api.get('/artists/1')).resource.attributes).toEqual({ name: 'Radiohead', trackCount: 1 })
  })

  test('it is reported where the expression cannot be written', async () => {
    const written = "The expression of 'trackCount' of the table 'artists' cannot be compiled: "
    expect(await missing(counting(broken))).toEqual([`${written}Not today.`])
    expect(await missing(counting((() => Promise.resolve(3)) as never))).toEqual([
      `${written}It does not return a Kysely expression.`,
    ])
    const itself = table<ArtistRow>('artists', {
      columns: { trackCount: { type: 'integer', computed: ({ column }) => column('trackCount') } },
    })
    expect(await missing(itself)).toEqual([`${written}There is no column for 'trackCount' that it can use.`])
  })

  test('it is reported where the database does not understand it', async () => {
    const [problem, ...others] = await missing(counting(() => sql`select count(*) from nowhere`))
    expect(others).toEqual([])
    expect(problem).toMatch(/^The database cannot compute 'trackCount' of the table 'artists': .*nowhere/)
  })

  test('two models with different expressions share no statement', async () => {
    await scratch.run("insert into artists (name) values ('Radiohead')")
    const ran: RanStatement[] = []
    const data = sqlData(scratch.database, { onStatement: (statement) => ran.push(statement) })
    const counts: unknown[] = []
    for (const count of [1, 2, 2n]) {
      const cast = engine === 'PostgreSQL' ? sql`${count}::integer` : sql`cast(${count} as integer)`
      const api = client(createServer({ resources: [artistsOf(counting(() => cast))], data }))
      counts.push((await api.get('/artists/1')).resource.attributes?.['trackCount'])
    }
    expect(counts).toEqual([1, 2, 2])
    expect(new Set(ran.map(({ sql: text }) => text)).size).toBe(1)
  })
})
