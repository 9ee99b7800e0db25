import { describe, expect, test } from 'vitest'
import { planService } from '../../src/tools/pull/plan/plan-service.js'
import type { Casing } from '../../src/tools/pull/plan/words.js'
import type { SchemaTable } from '../../src/stores/sql/schema/database-schema.js'
import { declarationFilesOf } from '../../src/tools/pull/write/pulled-files.js'
import { column, foreignKey, reference, serial, table } from './schema.js'

const planned = (
  tables: readonly SchemaTable[],
  casing: Casing = 'camelCase',
  excluded: readonly string[] = [],
  typeValues: ReadonlyMap<string, readonly string[]> | null = null,
) =>
  planService(
    {
      engine: 'postgres',
      schema: null,
      tables,
      unreadable: [],
      typeValues: typeValues ?? new Map(),
      hasSpacedInstants: false,
    },
    { casing, excluded, relatesByName: typeValues !== null },
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
    ['hired_by', 'hiredBy', 'hiredPeople'],
    ['moved_to_id', 'movedTo', 'movedFrom'],
    ['copied_from_id', 'copiedFrom', 'copiedTo'],
    ['duplicate_of_id', 'duplicateOf', 'duplicates'],
    ['in_reply_to_id', 'inReplyTo', 'replies'],
    ['to', 'to', 'toOf'],
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

const namedIn = (tables: readonly SchemaTable[], values: Readonly<Record<string, readonly string[]>> = {}) =>
  planned(tables, 'camelCase', [], new Map(Object.entries(values)))
const relationsByName = (...given: Parameters<typeof namedIn>): readonly string[] =>
  namedIn(...given).types.flatMap(({ type, relations }) =>
    relations.map(({ name, calls }) => `${type}.${name}: ${calls.join('.')}`),
  )

describe('columns that are named like references', () => {
  const users = table('users', [serial()])
  const builds = table('ci_builds', [column('id', { type: 'bigint', hasDefault: true })])
  const devices = table('devices', [column('id', { type: 'uuid' })])

  test.each([
    { from: 'posts', column: reference('user_id'), to: 'users', as: 'user' },
    { from: 'posts', column: reference('reply_to_user_id'), to: 'users', as: 'replyToUser' },
    { from: 'posts', column: reference('UserID'), to: 'users', as: 'user' },
    { from: 'posts', column: reference('author_id'), to: 'users', as: 'author' },
    { from: 'posts', column: reference('deleted_by_id'), to: 'users', as: 'deletedBy' },
    { from: 'posts', column: reference('user_id', { type: 'bigint' }), to: 'users', as: 'user' },
    { from: 'ci_build_needs', column: reference('build_id'), to: 'ci-builds', as: 'build' },
    { from: 'posts', column: column('device_id', { type: 'uuid' }), to: 'devices', as: 'device' },
    { from: 'posts', column: column('device_uuid', { type: 'uuid' }), to: 'devices', as: 'device' },
    { from: 'posts', column: reference('parent_id'), to: 'posts', as: 'parent' },
  ])('$column.name of $from refers to $to', ({ from, column: made, to, as }) => {
    const [own] = relationsByName([table(from, [serial(), made]), users, builds, devices])
    expect(own).toMatch(
      new RegExp(`\\.${as}: belongsTo\\('${to}'\\)\\.via\\('\\w+' /\\* no foreign key \\*/\\)\\.required\\(\\)$`),
    )
  })

  test.each([
    reference('stripe_user_id'),
    reference('external_id'),
    reference('user'),
    reference('user_uuid'),
    reference('device_id'),
    column('user_id'),
    column('device_id'),
    reference('postal_code'),
  ])('$name refers to nothing', (made) => {
    expect(relationsByName([table('posts', [serial(), made]), users, builds, devices])).toEqual([])
  })

  test('a name that two tables have is no reference', () => {
    const people = [table('users', [serial()]), table('Users', [serial()])]
    expect(relationsByName([table('posts', [serial(), reference('user_id')]), ...people])).toEqual([])
  })

  test('the other side is a relation if an index finds its rows, and the names of foreign keys stay', () => {
    const posts = table('posts', [serial(), reference('author_id'), reference('user_id'), reference('editor_id')], {
      foreignKeys: [foreignKey('author_id', 'users')],
      indexes: ['author_id', 'user_id'],
    })
    expect(relationsOf([posts, users])[1]).toBe("users.posts: hasMany('posts')")
    expect(relationsByName([posts, users])).toEqual([
      "posts.author: belongsTo('users').required().filterable()",
      "posts.user: belongsTo('users').via('userId' /* no foreign key */).required().filterable()",
      "posts.editor: belongsTo('users').via('editorId' /* no foreign key */).required()",
      "users.posts: hasMany('posts').via('authorId')",
      "users.userPosts: hasMany('posts').via('userId' /* no foreign key */)",
    ])
  })

  test('a pair with types refers to the tables that rows name', () => {
    const notes = table(
      'notes',
      [serial(), column('noteable_type', { nullable: true }), reference('noteable_id', { nullable: true })],
      { indexes: ['noteable_type,noteable_id'] },
    )
    const tables = [notes, users, builds, devices]
    const values = ['App\\Models\\User', 'Ci::Build', 'Device', 'Gone']
    expect(relationsByName(tables, { 'notes.noteable_type': values })).toEqual([
      "notes.noteable: morphTo(['users', 'ci-builds']).via('noteableId', 'noteableType' /* no foreign key */).nullable()",
      "users.notes: hasMany('notes').via('noteableId' /* no foreign key */)",
      "ci-builds.notes: hasMany('notes').via('noteableId' /* no foreign key */)",
    ])
    const { types, notes: printed } = namedIn(tables, { 'notes.noteable_type': values })
    expect(types.map(({ type, storedType }) => [type, storedType])).toEqual([
      ['notes', null],
      ['users', 'App\\Models\\User'],
      ['ci-builds', 'Ci::Build'],
      ['devices', null],
    ])
    expect(printed.map(({ subject, sentence }) => `${subject}: ${sentence}`)).toEqual([
      "notes.noteable_id, noteable_type: In rows with 'Device', 'Gone', the relation is empty: no served table has that name and a key that fits.",
      'notes: noteable_id to users or ci_builds.',
    ])
    expect(relationsByName(tables, { 'notes.noteable_type': ['Gone'] })).toEqual([])
    // A type that is named in two ways is found by the one that more tables use.
    const likes = table('likes', [serial(), column('item_type'), reference('item_id')])
    const twice = { 'notes.noteable_type': ['User', 'users'], 'likes.item_type': ['users'] }
    expect(namedIn([...tables, likes], twice).types[1]).toMatchObject({ type: 'users', storedType: null })
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

  test('times that neither the database nor a client has to fill are filled by the service', () => {
    const made = table('albums', [
      serial(),
      column('created_at', { type: 'instant' }),
      column('updated_at', { type: 'timestamp', nullable: true }),
      column('published_at', { type: 'instant' }),
      column('modified_on', { type: 'instant', hasDefault: true }),
      column('inserted_on', { type: 'date' }),
    ])
    expect(attributesOf(made)).toEqual({
      createdAt: 'a.dateTime().readOnly()',
      updatedAt: 'a.dateTime().nullable().readOnly()',
      publishedAt: 'a.dateTime().required()',
      modifiedOn: 'a.dateTime()',
      insertedOn: 'a.date().required()',
    })
    expect(declarationFilesOf(planned([made])).get('albums.ts')).toContain(`
  // The database does not fill these times, so the service does.
  defaults() {
    const now = new Date()
    return { createdAt: now, updatedAt: now }
  },
  hooks: {
    beforeUpdate(draft) {
      draft.updatedAt = new Date()
    },
  },
})`)
    const viewed = table('views', [serial(), column('created_at', { type: 'instant' })], {
      kind: 'view',
      isView: true,
      viewKey: ['id'],
    })
    expect(declarationFilesOf(planned([viewed])).get('views.ts')).not.toContain('new Date()')
  })

  test('keys of eight bytes are a bigint in rows where a number is not exact, attributes always', () => {
    const big = { type: 'bigint' } as const
    const artists = table('artists', [column('id', { ...big, hasDefault: true })])
    const made = table('albums', [serial(), column('artist_id', { ...big, nullable: true }), column('plays', big)], {
      foreignKeys: [foreignKey('artist_id', 'artists')],
    })
    const rows = planned([artists, made]).types.map(({ model }) =>
      model?.row.map(({ name, type }) => `${name}: ${type}`),
    )
    expect(rows).toEqual([['id: number | bigint'], ['id: number', 'artistId: number | bigint | null', 'plays: bigint']])
  })

  test('a column of eight bytes is exact in a view too, in rows and in JSON', () => {
    const plays = column('plays', { type: 'bigint', nullable: true })
    const viewed = table('charts', [serial(), plays], { kind: 'view', isView: true, viewKey: ['id'] })
    expect(attributesOf(viewed)).toEqual({ plays: 'a.bigint().nullable()' })
    expect(planned([viewed]).types[0]?.model?.row).toContainEqual({ name: 'plays', type: 'bigint | null' })
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
