import { reply } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { adding, batch, music } from '../support/event-music.js'

describe('in a batch', () => {
  test('the events after the write wait for the commit, in the order of the operations, and Serving fires once', async () => {
    const { server, api } = music()
    const seen: string[] = []
    server.on('Serving', ({ operation }) => void seen.push(operation.kind))
    server.on('BeforeCreate', 'albums', ({ draft }) => void seen.push(`before ${draft.title}`))
    server.on('AfterCreate', 'albums', ({ row: { title } }) => {
      seen.push(`after ${title}`)
      if (title === 'a') throw new Error('It is logged, and the others run.')
      return reply.meta({ ignored: true })
    })
    server.on('AfterSave', 'albums', ({ row: { title } }) => void seen.push(`saved ${title}`))
    const response = await api.post('/operations', batch(adding('a'), adding('b')))
    expect(response.status).toBe(200)
    expect(response.document).toMatchObject({
      'atomic:results': [{ data: { type: 'albums' } }, { data: { type: 'albums' } }],
    })
    expect(seen).toEqual(['Extension', 'before a', 'before b', 'after a', 'saved a', 'after b', 'saved b'])
  })

  test('a rollback discards them', async () => {
    const { server, api } = music()
    const seen: string[] = []
    server.on('AfterSave', ({ type }) => void seen.push(type))
    expectErrors(
      await api.post(
        '/operations',
        batch(adding('a'), adding('b'), { op: 'remove', ref: { type: 'albums', id: '99' } }),
      ),
      [{ status: 404, pointer: '/atomic:operations/2' }],
    )
    expect(seen).toEqual([])
    await api.post('/operations', batch(adding('a')))
    expect(seen).toEqual(['albums'])
  })
})
