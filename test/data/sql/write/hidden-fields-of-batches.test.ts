import { atomic, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabases } from '../../../support/empty-databases.js'
import { byNumber, idOf, sender } from '../../../spec/access/access-client.js'

interface NoteRow {
  readonly id: number
  readonly ownerId: number
  readonly text: string | null
}

/** No ability decides about the field, so that the resources of a batch can be shown, and written, together. */
const notes = defineResource('notes', {
  model: table<NoteRow>('notes'),
  id: id().requireClientId(),
  attributes: (a) => ({
    ownerId: a.integer(),
    text: a
      .string()
      .nullable()
      .hidden((row, { caller }) => row.ownerId !== idOf(caller)),
  }),
  policy: 'public',
})

describe.each(emptyDatabases)('on %s', (_engine, open) => {
  test('a batch that only creates resources sets no fields that the new rows hide', async () => {
    const scratch = await open()
    onTestFinished(() => scratch.end())
    await scratch.run('create table notes (id integer primary key, "ownerId" integer, text text)')
    const data = sqlData(scratch.database)
    const send = sender(createServer({ resources: [notes], data, middleware: [byNumber], extensions: [atomic()] }))
    const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const operations = [1, 2, 2, 1].map((ownerId, index) => ({
      op: 'add',
      data: { type: 'notes', id: String(index + 1), attributes: { ownerId, text: 'new' } },
    }))
    const response = await send('POST', '/operations', { as: 1, body: { 'atomic:operations': operations }, type })
    expect(response.status).toBe(200)
    const texts = await Promise.all(
      [1, 2, 3, 4].map(async (of) => {
        const { attributes } = (await send('GET', `/notes/${of}`, { as: of === 2 || of === 3 ? 2 : 1 })).resource
        return attributes?.['text']
      }),
    )
    expect(texts).toEqual(['new', null, null, 'new'])
  })
})
