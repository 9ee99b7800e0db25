import { describe, expect, test } from 'vitest'
import { planService } from '../../src/pull/plan/plan-service.js'
import type { Casing } from '../../src/pull/plan/words.js'
import type { SchemaTable } from '../../src/data/sql/schema/database-schema.js'
import { declarationFilesOf } from '../../src/pull/write/pulled-files.js'
import { column, foreignKey, reference, serial, table } from './schema.js'

const planned = (tables: readonly SchemaTable[], casing: Casing = 'camelCase', excluded: readonly string[] = []) =>
  planService(
    { engine: 'postgres', schema: null, tables, unreadable: [], hasSpacedInstants: false },
    { casing, excluded },
  )

/** The relations of all types: `albums.artist: belongsTo('artists').required()`. */
const relationsOf = (tables: readonly SchemaTable[]): readonly string[] =>
  planned(tables).types.flatMap(({ type, relations }) =>
    relations.map(({ name, calls }) => `${type}.${name}: ${calls.join('.')}`),
  )

const attributesOf = (made: SchemaTable): Readonly<Record<string, string>> =>
  Object.fromEntries(planned([made]).types[0]?.attributes.map(({ name, calls }) => [name, calls.join('.')]) ?? [])

test('a table becomes an idiomatic declaration', () => {
  const artists = table('artists', [serial(), column('name')])
  const albums = table(
    'albums',
    [
      serial(),
      column('title', { databaseType: 'character varying(160)' }),
      column('released_on', { type: 'date', nullable: true }),
      column('price', { type: 'decimal', comment: 'Without taxes.' }),
      column('status', { hasDefault: true, type: 'other', labels: ['upcoming', 'released'] }),
      reference('artist_id'),
    ],
    {
      foreignKeys: [foreignKey('artist_id', 'artists')],
      indexes: ['artist_id', 'title', 'released_on'],
      checks: ['(price >= (0)::numeric)'],
      comment: 'What artists have released.',
    },
  )
  expect(
    declarationFilesOf(planned([albums, artists])).get('albums.ts'),
  ).toBe(`import { belongsTo, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'

export interface AlbumRow {
  id: number
  title: string
  releasedOn: string | null
  price: string
  status: string
  artistId: number
}

/** What artists have released. */
export const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(160).sortable(),
    releasedOn: a.date().nullable().sortable(),
    price: a.decimal().required().min(0).describedAs('Without taxes.'),
    status: a.string().in(['upcoming', 'released']),
  }),
  relations: {
    artist: belongsTo('artists').required().filterable(),
  },
  filters: (f) => ({
    title: f.where(),
    releasedOn: f.dateRange(),
  }),
})
`)
})

describe('names of relations', () => {
  const teams = table('teams', [serial()])

  test('several foreign keys between the same tables', () => {
    const matches = table('matches', [serial(), reference('home_team_id'), reference('away_team_id')], {
      foreignKeys: [foreignKey('away_team_id', 'teams'), foreignKey('home_team_id', 'teams')],
    })
    expect(relationsOf([matches, teams])).toEqual([
      "matches.homeTeam: belongsTo('teams').required()",
      "matches.awayTeam: belongsTo('teams').required()",
      "teams.homeMatches: hasMany('matches').via('homeTeamId')",
      "teams.awayMatches: hasMany('matches').via('awayTeamId')",
    ])
  })

  test.each([
    ['parent_id', 'parent', 'children'],
    ['manager_id', 'manager', 'managerOf'],
    ['reports_to', 'reportsTo', 'reports'],
    ['hired_by', 'hiredBy', 'people'],
  ])('a self-reference %s', (name, own, inverse) => {
    const people = table('people', [serial(), reference(name, { nullable: true })], {
      foreignKeys: [foreignKey(name, 'people')],
    })
    expect(relationsOf([people]).map((text) => text.split(':')[0])).toEqual([`people.${own}`, `people.${inverse}`])
  })

  test('a relation with the name of an attribute gets another one', () => {
    const players = table('players', [serial(), column('team'), reference('team_id')], {
      foreignKeys: [foreignKey('team_id', 'teams')],
    })
    expect(relationsOf([players, teams])[0]).toBe("players.relatedTeam: belongsTo('teams').via('teamId').required()")
  })

  test('a unique foreign key is a relation to one on both sides', () => {
    const logos = table('logos', [serial(), reference('team_id')], {
      foreignKeys: [foreignKey('team_id', 'teams')],
      indexes: ['team_id!'],
    })
    expect(relationsOf([logos, teams])[1]).toBe("teams.logo: hasOne('logos')")
  })

  test('keys of tenants: the columns that differ name the relation', () => {
    const own = { primaryKey: ['tenant', 'id'] }
    const orders = table('orders', [reference('tenant'), serial()], own)
    const lines = table('lines', [reference('tenant'), serial(), reference('order_id')], {
      ...own,
      foreignKeys: [foreignKey('tenant,order_id', 'orders', 'tenant,id')],
    })
    expect(relationsOf([lines, orders])[0]).toBe(
      "lines.order: belongsTo('orders').via(['tenant', 'orderId']).required()",
    )
  })
})

describe('join tables', () => {
  const [films, actors] = [table('films', [serial()]), table('actors', [serial()])]
  const keys = { foreignKeys: [foreignKey('film_id', 'films'), foreignKey('actor_id', 'actors')] }
  const both = [reference('film_id'), reference('actor_id')]

  test('are relations of both sides if a row needs no more than its key', () => {
    const joins = table('film_actor', [...both, column('role', { nullable: true })], {
      ...keys,
      primaryKey: ['film_id', 'actor_id'],
    })
    expect(relationsOf([films, actors, joins])).toEqual([
      "films.actors: belongsToMany('actors').through(filmActor, { owner: 'filmId', member: 'actorId' }).fields((a) => ({ role: a.string().nullable() }))",
      "actors.films: belongsToMany('films').through(filmActor, { owner: 'actorId', member: 'filmId' }).fields((a) => ({ role: a.string().nullable() }))",
    ])
    expect(planned([films, actors, joins]).waivers).toEqual({
      'relation-index:actors.films': "No index of 'film_actor' begins with 'actor_id'.",
    })
  })

  test('are types if a row needs more, has its own key, or is referred to', () => {
    const needy = table('castings', [...both, column('role')], { ...keys, primaryKey: ['film_id', 'actor_id'] })
    const keyed = table('castings', [serial(), ...both], { ...keys, indexes: ['film_id,actor_id!'] })
    for (const made of [needy, keyed]) {
      expect(planned([films, actors, made]).types.map(({ type }) => type)).toContain('castings')
    }
  })
})

describe('attributes', () => {
  test('are required, nullable, or neither if the database has a default', () => {
    const made = table('albums', [
      serial(),
      column('title'),
      column('subtitle', { nullable: true }),
      column('state', { hasDefault: true }),
      column('slug', { generated: 'expression', hasDefault: true, nullable: true }),
    ])
    expect(attributesOf(made)).toEqual({
      title: 'a.string().required()',
      subtitle: 'a.string().nullable()',
      state: 'a.string()',
      slug: 'a.string().nullable().readOnly()',
    })
  })

  test('have the bounds that checks and domains have together', () => {
    const made = table(
      'albums',
      [
        serial(),
        reference('year', { domainChecks: ['VALUE >= 1860'] }),
        reference('rating'),
        column('code', { databaseType: 'character(8)' }),
        column('size', { type: 'bigint' }),
        column('ratio', { type: 'number' }),
        reference('flag'),
      ],
      {
        checks: [
          'year < 2100',
          'rating in (1, 2, 3)',
          'length(code) <= 5',
          'size > 0',
          'ratio > 0.5',
          'flag in (0, 1)',
          'year > rating',
        ],
        indexes: ['code!', 'rating,year!'],
      },
    )
    expect(attributesOf(made)).toEqual({
      year: 'a.integer().required().min(1860).max(2099)',
      rating: "a.integer().required().in([1, 2, 3]).unique({ with: ['year'] }).sortable()",
      code: 'a.string().required().maxLength(5).unique().sortable()',
      size: 'a.bigint().required().exclusiveMin(0n)',
      ratio: 'a.decimal().required().exclusiveMin(0.5)',
      flag: 'a.boolean().required()',
    })
  })

  test('id and type are members of the resource, so columns of these names have other ones', () => {
    const made = table('albums', [serial('album_id'), column('id'), column('type')])
    expect(attributesOf(made)).toEqual({
      albumId2: "a.string().storedAs('id').required()",
      albumType: "a.string().storedAs('type').required()",
    })
  })
})

test('everything that is left out has a reason', () => {
  const tables = [
    table('log', [column('line')], { primaryKey: [] }),
    table('points', [column('x', { type: 'number' })]),
    table('events_2026', [serial()], { partitionOf: 'events' }),
    table('schema_migrations', [column('version')]),
    table('secrets', [serial()]),
    table('sales', [column('name')], { kind: 'view', isView: true, primaryKey: [] }),
  ]
  const { types, notes } = planned(tables, 'camelCase', ['secrets'])
  expect(types).toEqual([])
  expect(notes.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(tables.map(({ name }) => `notServed ${name}`))
})
