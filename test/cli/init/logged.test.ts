import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../examples/starter/src/database.js'
import { createService } from '../../../examples/starter/src/service.js'
import { DEFAULT_LOG } from '../../../src/core/errors/default-log.js'
import { testClient } from '../../../src/testing.js'

test('a new service logs the cause of a 500 response', async () => {
  const logged: unknown[] = []
  const take = (entry: unknown): void => void logged.push(entry)
  subscribe(DEFAULT_LOG, take)
  const database = openDatabase(':memory:')
  const { status, errors } = await testClient(createService(database.data)).get('/albums')
  await database.close()
  unsubscribe(DEFAULT_LOG, take)

  expect({ status, errors }).toEqual({ status: 500, errors: [{ status: '500', title: 'Internal Server Error' }] })
  expect(logged).toMatchObject([
    {
      kind: 'exception',
      status: 500,
      request: { method: 'GET', path: '/albums' },
      thrown: { message: "The database has no table for the model 'albums'." },
    },
  ])
})
