import { authenticate, createServer, defineResource, hasMany, id, model, type ServerSettings } from 'ashlar'
import { describe, expect, inject, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { signal } from '../support/signal.js'
import { storedData } from '../support/stored-data.js'

/** In debug mode, responses show how long each stage of their request took. */

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { tracks: hasMany('tracks').via('albumId') },
  policy: 'public',
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; albumId: number }>('tracks'),
  id: id(),
  policy: 'public',
})

function music(settings: Partial<ServerSettings<readonly []>> = {}) {
  const data = storedData(
    { albums: [{ id: 1, title: 'Dummy' }], tracks: [{ id: 1, albumId: 1 }] },
    {},
    { hasKeys: true },
  )
  const server = createServer({
    resources: [albums, tracks, albums.with({ server: 'staff' }), tracks.with({ server: 'staff' })],
    data,
    servers: { staff: { prefix: '/staff' } },
    debug: true,
    ...settings,
  })
  return { server, api: client(server) }
}

const isSql = inject('store') !== 'memory'

/** Returns the names of the measured stages, without the wait: on a busy machine, any request may wait for its turn. */
function stagesWithoutWait(headers: Pick<Headers, 'get'>): readonly string[] {
  return stagesIn(headers).filter((stage) => stage !== 'wait')
}

/** Returns the names of the measured stages with their descriptions, each with a time. */
function stagesIn(headers: Pick<Headers, 'get'>): readonly string[] {
  const header = headers.get('server-timing')
  if (header === null) return []
  return header.split(', ').map((stage) => {
    expect(stage).toMatch(/^[a-z]+;dur=\d+(?:\.\d+)?(?:;desc="[^"]+")?$/)
    return stage.replace(/;dur=[\d.]+/, '')
  })
}

const statements = (count: number): readonly string[] =>
  isSql ? [`db;desc="${count} statement${count === 1 ? '' : 's'}"`] : []

describe('Server-Timing', () => {
  test('has the stages, and the number and time of the statements', async () => {
    const { api } = music()
    const included = await api.get('/albums?include=tracks')
    expect(stagesWithoutWait(included.headers)).toEqual(['parse', 'handle', 'render', ...statements(2), 'total'])
    const found = await api.get('/albums/1')
    expect(stagesWithoutWait(found.headers)).toEqual(['parse', 'handle', 'render', ...statements(1), 'total'])
    const root = await api.get('/')
    expect(stagesWithoutWait(root.headers)).toEqual(['parse', 'total'])
  })

  test('ends with the stage in which a request has failed', async () => {
    const { api } = music()
    expect(stagesWithoutWait((await api.get('/albums?nothing')).headers)).toEqual(['parse', 'total'])
    expect(stagesWithoutWait((await api.get('/albums/404')).headers)).toEqual([
      'parse',
      'handle',
      ...statements(1),
      'total',
    ])
  })

  test('shows middleware, and the wait for a turn', async () => {
    const middleware = [authenticate({ challenge: 'Bearer', caller: () => null })]
    const { server, api } = music({ middleware, overload: { concurrent: 1, maxWait: 600_000 } })
    const [begun, goOn] = [signal(), signal()]
    const remove = server.on('Serving', async () => {
      begun.give()
      await goOn.given
    })
    const [one, two] = [api.get('/albums/1'), api.get('/albums/1')]
    await begun.given
    // Longer than the shown precision.
    await new Promise((resolve) => setTimeout(resolve, 5))
    remove()
    goOn.give()
    const stages = ['middleware', 'parse', 'handle', 'render', ...statements(1), 'total']
    expect(stagesIn((await two).headers)).toEqual(['wait', ...stages])
    // On a busy machine, the time until the turn may be as long as a wait.
    expect(stagesWithoutWait((await one).headers)).toEqual(stages)
  })

  test('is not part of a stored response', async () => {
    const { api } = music({ idempotency: true })
    const headers = { 'Idempotency-Key': '"a-1"' }
    const body = resourceBody('albums', { title: 'Third' })
    const first = await api.post('/albums', { headers, body })
    const second = await api.post('/albums', { headers, body })
    expect([first.status, second.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(stagesIn(first.headers)).toEqual(expect.arrayContaining(['parse', 'handle', 'render', 'total']))
    expect(stagesWithoutWait(second.headers).filter((stage) => !stage.startsWith('db'))).toEqual(['parse', 'total'])
  })

  test('is for servers in debug mode only', async () => {
    const { api } = music({ debug: false, servers: { staff: { prefix: '/staff', debug: true } } })
    expect((await api.get('/albums')).headers.has('server-timing')).toBe(false)
    expect((await api.get('/staff/albums')).headers.has('server-timing')).toBe(true)
    expect((await music({ debug: false }).api.get('/albums')).headers.has('server-timing')).toBe(false)
    // A log needs no trace.
    const logged = await music({ debug: false, requestLog: { info: () => undefined } }).api.get('/albums')
    expect(logged.headers.has('server-timing')).toBe(false)
  })
})
