import { authenticate, belongsTo, createServer, defineResource, hasMany, id, type RuleKit } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter } from 'ashlar/testing'
import type { Pool } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import type { OpenDatabase } from '../write/open-databases.js'
import { databases } from '../write/open-databases.js'
import { readPlan } from './read-plan.js'

/** The plans of PostgreSQL for types with rules. Whether a related resource is visible is looked up for the rows of the page. */

const open = databases()
const counter = statementCounter()
const artistCount = 20_000
let opened: OpenDatabase

interface Tenant {
  readonly tenantId: number
}

interface Row extends Tenant {
  readonly id: number
  readonly title: string
  readonly artistId: number
}

function musicServer({ database, options }: OpenDatabase) {
  const ofTenant = (p: RuleKit<Tenant>) => p.signedIn(({ caller }) => p.eq('tenantId', (caller as Tenant).tenantId))
  const artists = defineResource('artists', {
    model: table<Row>('artists'),
    id: id(),
    policy: (p) => ({ viewAny: true, view: ofTenant(p) }),
    relations: { albums: hasMany('albums') },
  })
  const albums = defineResource('albums', {
    model: table<Row>('albums'),
    id: id(),
    policy: (p) => ({
      viewAny: true,
      view: ofTenant(p),
      custom: { promote: p.related('artist', (q) => q.eq('tenantId', 1)) },
    }),
    attributes: (a) => ({ title: a.string(), secret: a.string().storedAs('title').readOnly().visibleIf('promote') }),
    relations: { artist: belongsTo('artists') },
  })
  return createServer({
    resources: [artists, albums],
    data: sqlData(database, { ...options, onStatement: counter.onStatement }),
    middleware: [authenticate({ challenge: 'Tenant', caller: () => ({ tenantId: 1 }) })],
  })
}

beforeAll(async () => {
  opened = await open('postgres', [
    'create table artists (id serial, "tenantId" integer not null)',
    'create table albums (id serial, title text not null, "artistId" integer references artists (id), "tenantId" integer not null)',
    `insert into artists ("tenantId") select 1 from generate_series(1, ${artistCount})`,
    `insert into albums (title, "artistId", "tenantId") select i::text, 1 + i * 37 % ${artistCount}, 1 from generate_series(1, ${artistCount}) i`,
    'create index on albums ("artistId")',
    'analyze',
  ])
})

describe('a list with the linkage of a relation to one, and with a guarded attribute', () => {
  test.each([
    ['/albums?page[size]=20', 20],
    ['/albums?page[size]=20&sort=-id', 20],
    ['/artists/38/albums', 1],
  ])('looks up the related rows of the page only: GET %s', async (path, shown) => {
    const api = client(musicServer(opened))
    const ran = await counter.during(async () => {
      const { resources } = await api.get(path)
      expect(resources).toHaveLength(shown)
      expect(resources[0]?.relationships?.['artist']?.data).toMatchObject({ type: 'artists' })
      expect(resources[0]?.attributes).toHaveProperty('secret')
    })
    const { sql = '', values = [] } = ran.at(-1) ?? {}
    const plan = await readPlan(opened.database as Pool, sql, values)
    expect(plan.scanned).toEqual([])
    // A row of the list, its artist for the linkage, and its artist for the attribute; one more shows whether there is a next page.
    expect(plan.rowsRead).toBeLessThanOrEqual(3 * (shown + 1))
  })
})
