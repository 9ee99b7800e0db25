import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../../examples/starter/src/database.js'
import { createService } from '../../../examples/starter/src/service.js'
import { testClient } from '../../../src/testing.js'

test('a new service prints the cause of a 500 response', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const database = openDatabase(':memory:')
  const { status, errors } = await testClient(createService(database.data)).get('/albums')
  await database.close()

  expect({ status, errors }).toEqual({ status: 500, errors: [{ status: '500', title: 'Internal Server Error' }] })
  expect(error).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ method: 'GET', path: '/albums' }),
    "The database has no table for the model 'albums'.",
  )
})
