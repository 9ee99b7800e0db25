import { authenticate, belongsTo, createServer, defineResource, hasMany, id, type RuleKit } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter, type TestClient } from 'ashlar/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { runs } from '../../../support/runs.js'
import type { Engine, OpenDatabase } from '../write/open-databases.js'
import { databases, engines } from '../write/open-databases.js'

/** Foreign keys that contain the tenant: then the row of an album shows whether its artist is visible. */

const open = databases()
const counter = statementCounter()

interface Caller {
  readonly kind: 'member' | 'admin' | 'guest'
  readonly tenantId: number
}

interface Row {
  readonly id: number
  readonly title: string
  readonly artistId: number | null
  readonly tenantId: number
  readonly open: boolean
}

type Visible = 'own' | 'own or open'

const visibleTo = (p: RuleKit<Row>, visible: Visible) =>
  p.signedIn(({ caller }) => {
    const { kind, tenantId } = caller as unknown as Caller
    if (kind === 'admin') return true
    const own = p.eq('tenantId', tenantId)
    return kind === 'guest' || visible === 'own or open' ? p.any(own, p.eq('open', true)) : own
  })

function music({ database, options }: OpenDatabase, albumsTo: Visible): TestClient {
  const artists = defineResource('artists', {
    model: table<Row>('artists'),
    id: id(),
    policy: (p) => ({ viewAny: true, view: visibleTo(p, 'own') }),
    attributes: (a) => ({ title: a.string() }),
    relations: { albums: hasMany('albums') },
  })
  const albums = defineResource('albums', {
    model: table<Row>('albums'),
    id: id(),
    policy: (p) => ({ viewAny: true, view: visibleTo(p, albumsTo), create: true, update: true }),
    attributes: (a) => ({ title: a.string() }),
    relations: { artist: belongsTo('artists').filterable() },
    filters: (f) => ({ hasArtist: f.has('artist') }),
    defaults: ({ caller }) => ({ tenantId: (caller as Caller).tenantId, open: false }),
  })
  return client(
    createServer({
      resources: [artists, albums],
      data: sqlData(database, { ...options, onStatement: counter.onStatement }),
      middleware: [
        authenticate({
          challenge: 'Tenant',
          caller: (request) => JSON.parse(request.header('authorization') ?? 'null') as never,
        }),
      ],
    }),
  )
}

const plainKey = '"artistId" integer references artists (id)'
const sharedKey = `"artistId" integer, foreign key ("artistId", "tenantId") references artists (id, "tenantId")`

/** The artists 1 and 3 are of the tenant 1; 2 and 4 of the tenant 2. */
const tables = (key: string, more: readonly string[] = []) => [
  'create table artists (id serial, title text not null, "tenantId" integer not null, open boolean not null, unique (id, "tenantId"))',
  `create table albums (id serial, title text not null, "tenantId" integer not null, open boolean not null, ${key})`,
  `insert into artists (title, "tenantId", open) values ('a', 1, false), ('b', 2, true), ('c', 1, true), ('d', 2, false)`,
  `insert into albums (title, "tenantId", open, "artistId") values
    ('one', 1, false, 1), ('two', 2, true, 2), ('three', 1, true, 3), ('four', 2, false, 4), ('five', 1, true, null), ('six', 2, true, 4)`,
  ...more,
]

const member = { kind: 'member', tenantId: 1 } as const
const as = (caller: Caller) => ({ headers: { Authorization: JSON.stringify(caller) } })

async function statementOf(api: TestClient, path: string): Promise<string> {
  const ran = await counter.during(() => api.get(path, as(member)))
  return ran.map(({ sql }) => sql).join('\n')
}

describe('on PostgreSQL, the artists of albums are not looked up', () => {
  test.each(['/albums', '/albums/1', '/albums?sort=-id'])('GET %s', async (path) => {
    const [plain, shared] = [await open('postgres', tables(plainKey)), await open('postgres', tables(sharedKey))]
    expect(await statementOf(music(plain, 'own'), path)).toContain('exists')
    const statement = await statementOf(music(shared, 'own'), path)
    expect(statement).not.toContain('artists')
  })

  test.each([
    [
      'if the database has not checked its rows',
      [
        'alter table albums drop constraint proven',
        'alter table albums add constraint proven foreign key ("artistId", "tenantId") references artists (id, "tenantId") not valid',
      ],
    ],
    ['if the tenant of an album may be null', ['alter table albums alter "tenantId" drop not null']],
    ['if policies of the database hide artists', ['alter table artists enable row level security']],
    [
      'if the key leads to another table',
      [
        'alter table albums drop constraint proven, add foreign key ("artistId") references artists (id)',
        'create table others (id serial, "tenantId" integer not null, unique (id, "tenantId"))',
        'insert into others (id, "tenantId") select id, "tenantId" from artists',
        'alter table albums add foreign key ("artistId", "tenantId") references others (id, "tenantId")',
      ],
    ],
    [
      'if the key is that of another relation',
      [
        'alter table albums drop constraint proven, add foreign key ("artistId") references artists (id)',
        'alter table albums add "otherId" integer',
        'alter table albums add foreign key ("otherId", "tenantId") references artists (id, "tenantId")',
      ],
    ],
  ])('but %s', async (_, more) => {
    const key = `"artistId" integer, constraint proven foreign key ("artistId", "tenantId") references artists (id, "tenantId")`
    const database = await open('postgres', tables(key, more))
    expect(await statementOf(music(database, 'own'), '/albums')).toContain('artists')
  })
})

const caller = fc.constantFrom<Caller>(
  member,
  { kind: 'member', tenantId: 2 },
  { kind: 'member', tenantId: 3 },
  { kind: 'admin', tenantId: 1 },
  { kind: 'guest', tenantId: 1 },
  { kind: 'guest', tenantId: 3 },
)

const path = fc.constantFrom(
  '/albums',
  '/albums?include=artist',
  '/albums?filter[hasArtist]=true',
  '/albums?filter[hasArtist]=false',
  '/albums?filter[artist]=1,4',
  '/albums/2',
  '/albums/5',
  '/albums/6',
  '/albums/6/relationships/artist',
  '/artists?include=albums',
  '/artists/3/albums',
)

describe.each(engines)('on %s, responses are the same as with a key that proves nothing', (engine: Engine) => {
  test.each<Visible>(['own', 'own or open'])('if callers see albums that are %s', async (albumsTo) => {
    const databasesOf = [await open(engine, tables(plainKey)), await open(engine, tables(sharedKey))]
    const [plain, shared] = databasesOf.map((database) => music(database, albumsTo)) as [TestClient, TestClient]
    let visible = 0
    let hidden = 0
    await fc.assert(
      fc.asyncProperty(caller, path, async (of, read) => {
        const [one, other] = await Promise.all([plain.get(read, as(of)), shared.get(read, as(of))])
        expect({ status: other.status, text: other.text }).toEqual({ status: one.status, text: one.text })
        const { text } = one
        if (text.includes('"artist":{"links"') || text.includes('"data":null')) hidden += 1
        if (text.includes('"type":"artists"')) visible += 1
      }),
      { numRuns: runs(150) },
    )
    expect(visible).toBeGreaterThan(0)
    expect(hidden).toBeGreaterThan(0)
  })
})
