import { type ActionKit, reply, noContent, type RequestContext } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { actingServer, type AlbumRow } from '../support/acting-albums.js'
import { client } from '../support/client.js'

const done = { responds: noContent(), handle: () => reply.noContent() } as const

const linkedActions = (a: ActionKit<AlbumRow>) => ({
  play: a.resource({ ...done, asLink: true }),
  remaster: a.resource({ ...done, asLink: true, linkedWhen: (album) => album.year < 2000 }),
  sell: a.resource({
    ...done,
    asLink: true,
    allowed: (album, context) => context.request?.header('x-staff') === 'yes' && album.id === 1,
  }),
  hidden: a.resource(done),
})

const base = 'http://localhost/albums'

/** A link to an action. */
const link = (path: string, start = base) => ({ href: `${start}/${path}`, meta: { method: 'POST' } })

describe('an action that is a link', () => {
  test('is listed under its path on every resource of the type, under its conditions', async () => {
    const api = client(actingServer(linkedActions))
    const [first, second] = (await api.get('/albums')).resources
    expect(first?.links).toEqual({
      self: `${base}/1`,
      play: link('1/-actions/play'),
      remaster: link('1/-actions/remaster'),
    })
    expect(second?.links).toEqual({ self: `${base}/2`, play: link('2/-actions/play') })
  })

  test('is shown to callers who may call it', async () => {
    const api = client(actingServer(linkedActions))
    const staff = { headers: { 'X-Staff': 'yes' } }
    expect((await api.get('/albums/1', staff)).resource.links).toHaveProperty('sell', link('1/-actions/sell'))
    expect((await api.get('/albums/2', staff)).resource.links).not.toHaveProperty('sell')
    expect((await api.post('/albums/1/-actions/sell', staff)).status).toBe(204)
    expect((await api.post('/albums/2/-actions/sell', staff)).status).toBe(403)
  })

  test('may be called if it is not shown, unless it is not allowed', async () => {
    const api = client(actingServer(linkedActions))
    expect((await api.post('/albums/2/-actions/remaster')).status).toBe(204)
  })

  test('is on included resources too, with any fieldset', async () => {
    const api = client(actingServer(linkedActions))
    const response = await api.get('/artists/1?include=albums&fields[albums]=title')
    expect(response.document?.included?.map(({ links }) => Object.keys(links ?? {}))).toEqual([
      ['self', 'play', 'remaster'],
      ['self', 'play'],
    ])
  })

  test('is replaced by a user-defined link', async () => {
    const over = { links: () => ({ play: 'https://player.example', other: 'https://other.example' }) }
    const api = client(actingServer(linkedActions, { over }))
    expect((await api.get('/albums/2')).resource.links).toEqual({
      self: `${base}/2`,
      play: 'https://player.example',
      other: 'https://other.example',
    })
  })

  test('is the only link if the type has no self link', async () => {
    const api = client(actingServer(linkedActions, { over: { selfLink: false } as object }))
    expect((await api.get('/albums/2')).resource.links).toEqual({ play: link('2/-actions/play') })
  })

  test('refers to the server that shows it', async () => {
    const settings = { baseUri: 'https://music.example/api', servers: { admin: { prefix: '/admin' } } }
    const api = client(actingServer(linkedActions, { over: { server: ['default', 'admin'] }, settings }))
    expect((await api.get('/admin/albums/2')).resource.links).toHaveProperty(
      'play',
      link('2/-actions/play', 'https://music.example/api/admin/albums'),
    )
  })
})

test('whether an action is allowed is evaluated in the context of the action, by links too', async () => {
  const calls: unknown[] = []
  const allowed = (_album: AlbumRow, { type, operation }: RequestContext) => {
    calls.push([type, operation])
    return true
  }
  const api = client(actingServer((a) => ({ play: a.resource({ ...done, asLink: true, allowed }) })))
  await api.get('/artists/1?include=albums&fields[artists]=albums')
  await api.post('/albums/1/-actions/play')
  expect(calls).toEqual([
    ['albums', 'CustomAction'],
    ['albums', 'CustomAction'],
    ['albums', 'CustomAction'],
  ])
})
