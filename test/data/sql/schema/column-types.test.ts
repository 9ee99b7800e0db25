import { belongsTo, belongsToMany, defineResource, id } from 'ashlar'
import { describe, expect, test } from 'vitest'
import type { ResolvedTables } from '../../../../src/stores/sql/schema/resolve-tables.js'
import { table } from '../../../../src/stores/sql/schema/table.js'
import { resolved, tableNamed } from './resolved.js'
import { scratchPostgres, scratchSqlite } from './scratch-databases.js'

function typesOf(found: ResolvedTables, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries((tableNamed(found, name)?.columns ?? []).map(({ property, type }) => [property, type]))
}

interface HeldRow {
  id: number
  flag: boolean
  at: Date
  day: string
  time: string
  tags: readonly string[]
  shape: Readonly<Record<string, unknown>>
  price: string
  title: string
  goneAt: Date | null
  stamp: string
}

const held = defineResource('held', {
  model: table<HeldRow>('held'),
  id: id(),
  attributes: (a) => ({
    flag: a.boolean(),
    at: a.dateTime(),
    day: a.date(),
    time: a.time(),
    tags: a.arrayList(),
    shape: a.arrayHash(),
    price: a.decimal(),
    title: a.string(),
    stamp: a.string(),
  }),
  softDeletes: { column: 'goneAt' },
})

describe('The type of a column', () => {
  test('on SQLite is that of the attributes, if the declared type of the column is less precise', async () => {
    const found = await resolved(
      scratchSqlite,
      [
        `create table held (
          id integer primary key, flag integer, at text, day text, time text, tags text, shape text, price text, title text,
          "goneAt" text, stamp datetime, free text, since datetime
        )`,
      ],
      { resources: [held] },
    )
    expect(found.problems).toEqual([])
    expect(typesOf(found, 'held')).toEqual({
      id: 'integer',
      flag: 'boolean',
      at: 'instant',
      day: 'date',
      time: 'text',
      tags: 'list',
      shape: 'json',
      price: 'text',
      title: 'text',
      goneAt: 'instant',
      stamp: 'text',
      free: 'text',
      since: 'instant',
    })
  })

  test('on SQLite is also determined by fields of join rows and by flattened attributes', async () => {
    const playlists = defineResource('playlists', {
      model: table<{ id: number; ownerId: number }>('playlists'),
      id: id(),
      attributes: (a) => ({ since: a.dateTime().on('owner') }),
      relations: {
        owner: belongsTo('users'),
        listeners: belongsToMany('users')
          .through('listenings', { owner: 'playlistId', member: 'userId' })
          .fields((f) => ({ loved: f.boolean() })),
      },
    })
    const users = defineResource('users', {
      model: table<{ id: number; since: Date }>('users'),
      id: id(),
      attributes: (a) => ({ name: a.string().computedUsing(() => 'x') }),
    })
    const found = await resolved(
      scratchSqlite,
      [
        'create table playlists (id integer primary key, "ownerId" integer)',
        'create table users (id integer primary key, since text)',
        'create table listenings ("playlistId" integer, "userId" integer, loved integer)',
      ],
      { resources: [playlists, users] },
    )
    expect(found.problems).toEqual([])
    expect(typesOf(found, 'users')).toEqual({ id: 'integer', since: 'instant' })
    expect(typesOf(found, 'listenings')).toEqual({ playlistId: 'integer', userId: 'integer', loved: 'boolean' })
  })

  test('on SQLite is that of the model, if it declares one', async () => {
    const found = await resolved(scratchSqlite, ['create table t (id integer, at integer, exact text)'], {
      models: [
        table<{ id: number; at: Date; exact: string }>('t', { columns: { at: 'epochSeconds', exact: 'decimal' } }),
      ],
    })
    expect(typesOf(found, 't')).toEqual({ id: 'integer', at: 'epochSeconds', exact: 'decimal' })
  })

  test('on SQLite is text for soft deletes that are marked in texts, whatever attribute shows them', async () => {
    const found = await resolved(scratchSqlite, ['create table notes (id integer primary key, "deletedAt" text)'], {
      resources: [
        defineResource('notes', {
          model: table<{ id: number; deletedAt: string | null }>('notes'),
          id: id(),
          attributes: (a) => ({ deletedAt: a.dateTime().nullable().readOnly() }),
          softDeletes: { as: 'text' },
        }),
      ],
    })
    expect(typesOf(found, 'notes')).toEqual({ id: 'integer', deletedAt: 'text' })
  })

  test('on PostgreSQL is that of the database, whatever attributes and models declare', async () => {
    const found = await resolved(
      scratchPostgres,
      [
        `create table held (
          id bigint primary key, flag integer, at text, day timestamptz, time time, tags jsonb, shape json, price numeric,
          title varchar, "goneAt" timestamp, stamp timestamptz
        )`,
        'create table counted (id integer, at bigint)',
      ],
      {
        resources: [held],
        models: [table<{ id: boolean; at: Date }>('counted', { columns: { id: 'boolean', at: 'epochMilliseconds' } })],
      },
    )
    expect(typesOf(found, 'held')).toEqual({
      id: 'bigint',
      flag: 'integer',
      at: 'text',
      day: 'instant',
      time: 'time',
      tags: 'json',
      shape: 'json',
      price: 'decimal',
      title: 'text',
      goneAt: 'timestamp',
      stamp: 'instant',
    })
    // But for moments that are counted, of which no database knows.
    expect(typesOf(found, 'counted')).toEqual({ id: 'integer', at: 'epochMilliseconds' })
  })
})
