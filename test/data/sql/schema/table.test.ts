import type { Generated, ColumnType as KyselyColumn } from 'kysely'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { table } from '../../../../src/stores/sql/schema/table.js'
import type { TableModel } from '../../../../src/stores/sql/schema/table-model.js'
import { keyColumns } from '../../../../src/declare/resource/parts/key-columns.js'

interface AlbumRow {
  id: number
  title: string
  releasedAt: Date | null
}

describe('A table as a model', () => {
  test('has its name, and the key id', () => {
    const model = table<AlbumRow>('albums')
    expect(model).toMatchObject({ name: 'albums', key: 'id', columns: null })
    expect(model.table).toEqual({
      schema: null,
      name: 'albums',
      key: ['id'],
      naming: null,
      instants: null,
      columns: new Map(),
    })
    expect([model, model.table, model.table.key].every((each) => Object.isFrozen(each))).toBe(true)
  })

  test('may be named with its schema, or with the option schema', () => {
    expect(table<AlbumRow>('music.albums').table).toMatchObject({ schema: 'music', name: 'albums' })
    expect(table<AlbumRow>('albums', { schema: 'music' }).table).toMatchObject({ schema: 'music', name: 'albums' })
    expect(table<AlbumRow>('old.albums', { schema: 'music' }).table).toMatchObject({
      schema: 'music',
      name: 'old.albums',
    })
  })

  test('takes columns by their type, by their name, or by both', () => {
    const { columns } = table<AlbumRow>('albums', {
      columns: { id: 'bigint', title: { name: 'album_title' }, releasedAt: { name: 'released_on', type: 'instant' } },
    }).table
    expect([...columns]).toEqual([
      ['id', { name: null, type: 'bigint' }],
      ['title', { name: 'album_title', type: null }],
      ['releasedAt', { name: 'released_on', type: 'instant' }],
    ])
  })

  test('has keys of several columns too', () => {
    const model = table<{ albumId: number; genreId: number }>('album_genres', { key: ['albumId', 'genreId'] })
    expect(keyColumns(model.key)).toEqual(['albumId', 'genreId'])
    expect(model.table.key).toEqual(['albumId', 'genreId'])
  })

  test('passes foreign keys on', () => {
    const foreignKeys = [{ columns: ['artistId'] as const, model: 'artists', references: ['id'] }]
    expect(table<{ id: number; artistId: number }>('albums', { foreignKeys }).foreignKeys).toEqual(foreignKeys)
    expect('foreignKeys' in table<AlbumRow>('albums')).toBe(false)
  })

  test('has rows as they are read, whether their type is an interface or a type alias', () => {
    interface Written {
      id: Generated<number>
      title: string
      createdAt: KyselyColumn<Date, string | undefined, never>
    }
    expectTypeOf(table<Written>('albums')).toEqualTypeOf<
      TableModel<{ id: number; title: string; createdAt: Date }, 'byName'>
    >()
    expectTypeOf(table<AlbumRow>('albums')).toExtend<TableModel<AlbumRow>>()
  })

  test('takes no member that its rows do not have', () => {
    // @ts-expect-error 'titel' is no member.
    table<AlbumRow>('albums', { columns: { titel: 'text' } })
    // @ts-expect-error 'slug' is no member.
    table<AlbumRow>('albums', { key: 'slug' })
    // @ts-expect-error A key has columns.
    table<AlbumRow>('albums', { key: [] })
    // @ts-expect-error 'artistId' is no member.
    table<AlbumRow>('albums', { foreignKeys: [{ columns: ['artistId'], model: 'artists', references: ['id'] }] })
  })

  test('refuses in a sentence what the compiler would refuse', () => {
    // @ts-expect-error 'string' is no type of a column.
    expect(() => table<AlbumRow>('albums', { columns: { title: 'string' } })).toThrow(
      "table('albums') gives 'title' an unknown column type: use one of text, integer, ",
    )
    // @ts-expect-error Nor is it beside a name.
    expect(() => table<AlbumRow>('albums', { columns: { title: { name: 'title', type: 'string' } } })).toThrow(
      "table('albums') gives 'title' an unknown column type",
    )
    // @ts-expect-error There is no such naming.
    expect(() => table<AlbumRow>('albums', { naming: 'kebab-case' })).toThrow(
      "table('albums') has an unknown naming: use one of same, snake_case.",
    )
    // @ts-expect-error There is no such option.
    expect(() => table<AlbumRow>('albums', { colums: {} })).toThrow(
      "table('albums') has no option 'colums': use one of key, schema, naming, instants, columns, foreignKeys.",
    )
    expect(() => table<AlbumRow>('')).toThrow("table() takes the name of a table: table('albums').")
  })
})
