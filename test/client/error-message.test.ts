import { ClientError, createClient } from 'ashlar/client'
import { expect, test } from 'vitest'
import type { Api } from '../../examples/web/src/api.js'

test('an error whose detail is empty has its title as the message', async () => {
  const errors = [{ status: '401', title: 'Unauthorized', detail: '' }]
  const { albums } = createClient<Api>({
    url: 'https://music.example',
    fetch: async () =>
      new Response(JSON.stringify({ errors }), {
        status: 401,
        headers: { 'Content-Type': 'application/vnd.api+json' },
      }),
  }).types
  const thrown: unknown = await albums.get('1').catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(ClientError)
  expect(thrown).toMatchObject({ message: 'Unauthorized' })
})
