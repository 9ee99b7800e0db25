import { createServer, defineResource, id, model, ok, seeOther } from 'ashlar'
import { expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

test('a finished job redirects to its resource, but only callers who can see it', async () => {
  const jobs = defineResource('jobs', {
    model: model<{ readonly id: number; readonly albumId: number | null }>('jobs'),
    id: id(),
    fetchOne: [ok(), seeOther()],
    completionLocation: ({ albumId }) => (albumId === null ? null : { type: 'albums', id: String(albumId) }),
    policy: 'public',
  })
  const albums = defineResource('albums', {
    model: model<{ readonly id: number; readonly owner: number }>('albums'),
    id: id(),
    policy: (p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) }),
  })
  const data = storedData({ jobs: [{ id: 1, albumId: 4711 }], albums: [{ id: 4711, owner: 1 }] })
  const send = sender(createServer({ resources: [jobs, albums], data, middleware: [byNumber] }))
  const seen = await send('GET', '/jobs/1', { as: 1 })
  expect([seen.status, seen.headers.get('Location')]).toEqual([303, 'http://localhost/albums/4711'])
  for (const as of [2, undefined]) {
    const hidden = await send('GET', '/jobs/1', as === undefined ? {} : { as })
    expect([hidden.status, hidden.headers.get('Location')]).toEqual([200, null])
    expect(hidden.text).not.toContain('4711')
  }
})
