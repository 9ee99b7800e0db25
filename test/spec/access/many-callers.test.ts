import { Session } from 'node:inspector/promises'
import { getHeapStatistics } from 'node:v8'
import { reply, authenticate, belongsTo, createServer, defineResource, hasMany, id, model, type RuleKit } from 'ashlar'
import { testClient } from 'ashlar/testing'
import { expect, inject, onTestFinished, test } from 'vitest'
import { rounds } from '../../support/runs.js'
import { storedData } from '../../support/stored-data.js'

/** Requests of many callers leave nothing behind: neither the callers, nor anything that was made for them. */

interface Owned {
  readonly id: number
  readonly name: string
  readonly owner: string
}

interface Album extends Owned {
  readonly artistId: number | null
}

const keyOf = (caller: unknown): string => (caller as { readonly key: string }).key
const owned = (p: RuleKit<Owned>) =>
  p.signedIn(({ caller }) => p.any(p.eq('owner', 'all'), p.eq('owner', keyOf(caller))))

const artists = defineResource('artists', {
  model: model<Owned>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortable(), owner: a.string().visibleIf('own') }),
  relations: { albums: hasMany('albums').countable() },
  policy: (p) => ({ viewAny: true, view: owned(p), update: owned(p), custom: { own: owned(p) } }),
})

const albums = defineResource('albums', {
  model: model<Album>('albums'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { artist: belongsTo('artists').nullable().withData().security({ read: 'own' }) },
  filters: (f) => ({ artist: f.through('artist.name') }),
  actions: (a) => ({
    show: a.resource({
      ability: 'own',
      asLink: true,
      methods: ['GET'],
      handle: ({ entity }) => reply.resource(entity),
    }),
  }),
  policy: (p) => ({ viewAny: true, view: owned(p), create: owned(p), update: owned(p), custom: { own: owned(p) } }),
})

const reads = [
  '/albums?include=artist',
  '/albums/1',
  '/albums?filter[artist]=a',
  '/artists?sort=name&include=albums',
  '/artists/1/albums',
  '/artists/1/relationships/albums',
  '/albums/1/artist',
  '/albums/1/-actions/show',
]

/** The usual run has the full number on one store only. */
const number = inject('store') === 'sqlite' ? 1_000 : rounds(100, 1_000)

/** All keys of callers together take this much of the heap, so that a leak is noticed. */
const keyBytes = 20_000_000

test('no cache retains many callers with equal requests', async () => {
  const data = storedData({
    artists: [{ id: 1, name: 'a', owner: 'all' }],
    albums: [{ id: 1, name: 'a', owner: 'all', artistId: 1 }],
  })
  const middleware = [authenticate({ challenge: 'Key', caller: () => null })]
  const server = createServer({ resources: [artists, albums], data, middleware })
  const session = new Session()
  session.connect()
  onTestFinished(() => session.disconnect())

  const made: WeakRef<object>[] = []
  const sendRequests = async (count: number, isNoted: boolean): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const caller = { key: String(made.length).padStart(keyBytes / number, '0') }
      if (isNoted) made.push(new WeakRef(caller))
      const api = testClient(server, { caller, validate: false })
      const path = reads[index % reads.length] ?? ''
      const body = { data: { type: 'albums', id: '1', attributes: { name: `name ${index % 2}` } } }
      const { status } = await (index % 10 === 9 ? api.request('PATCH', '/albums/1', { body }) : api.get(path))
      expect(status).toBe(200)
    }
  }
  /** Collects garbage until nothing more is freed. */
  const usedHeap = async (): Promise<number> => {
    let used = Number.POSITIVE_INFINITY
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      await session.post('HeapProfiler.collectGarbage')
      const now = getHeapStatistics().used_heap_size
      if (now >= used) return now
      used = now
    }
  }

  await sendRequests(40, true)
  const before = await usedHeap()
  await sendRequests(number, true)
  // Connections hold the values of their last statements.
  await sendRequests(40, false)
  const grown = (await usedHeap()) - before
  expect(made.filter((caller) => caller.deref() !== undefined)).toHaveLength(0)
  expect(grown).toBeLessThan(keyBytes / 4)
})
