import {
  accepted,
  type Reply,
  reply,
  created,
  createServer,
  defineResource,
  id,
  model,
  noContent,
  seeOther,
} from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface JobRow {
  id: number
  note: string
}

const split = '/albums\r\nSet-Cookie: a=b'

/** Jobs whose actions and creates write a note before they reply. */
function replyingWith(result: Reply): TestClient {
  const jobs = defineResource('jobs', {
    model: model<JobRow>('jobs'),
    id: id(),
    attributes: (a) => ({ note: a.string() }),
    create: [created(), accepted('jobs')],
    persister: (store) => ({
      ...store,
      create: async (type, values, write) => {
        await store.create(type, values, write)
        return result
      },
    }),
    actions: (a) => ({
      run: a.collection({
        responds: [noContent(), accepted('jobs'), seeOther()],
        handle: async ({ context }) => {
          await context.rows('jobs').update(1, { note: 'changed' })
          return result as never
        },
      }),
    }),
  })
  const data = storedData({ jobs: [{ id: 1, note: 'as it was' }] })
  return client(createServer({ resources: [jobs], data, logger: null }))
}

const notes = async (api: TestClient) => (await api.get('/jobs')).resources.map(({ attributes }) => attributes)

describe('a reply whose URL cannot be sent is a 500, and nothing is stored', () => {
  test.each<[string, Reply]>([
    ['a place with a line break', reply.seeOther(split)],
    ['an empty place', reply.seeOther('')],
    ['no place', reply.seeOther(null as never)],
    ['a place in another script', reply.seeOther('/альбомы')],
    ['a poll with a line break', reply.accepted({ poll: split })],
    ['an empty poll', reply.accepted({ poll: '' })],
    ['accepted work without a URL', reply.accepted({ meta: { position: 4 } })],
  ])('%s, from an action', async (_name, result) => {
    const api = replyingWith(result)
    const response = await api.post('/jobs/-actions/run')
    expectErrors(response, [{ status: 500 }])
    expect(response.headers.has('Set-Cookie')).toBe(false)
    expect(await notes(api)).toEqual([{ note: 'as it was' }])
  })

  test.each<[string, Reply]>([
    ['a poll with a line break', reply.accepted({ poll: split })],
    ['accepted work without a URL', reply.accepted({})],
  ])('%s, from a persister', async (_name, result) => {
    const api = replyingWith(result)
    expectErrors(await api.post('/jobs', { body: resourceBody('jobs', { note: 'new' }) }), [{ status: 500 }])
    expect(await notes(api)).toEqual([{ note: 'as it was' }])
  })
})
