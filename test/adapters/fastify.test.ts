import { HttpError } from 'ashlar'
import { fastifyAdapter } from 'ashlar/fastify'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { suiteServer } from './hosts/server.js'
import { MEDIA_TYPE } from './send-to.js'

test('no request passes a hook of Fastify that refuses all, whatever its media type', async () => {
  const { server } = suiteServer()
  const app = fastify()
  app.addHook('preHandler', async () => {
    throw new HttpError(401)
  })
  app.register(fastifyAdapter(server))
  for (const type of [MEDIA_TYPE, 'image/png', 'nonsense', '', 'a/b/c', '/']) {
    for (const [method, url] of [
      ['POST', '/albums/-actions/measure'],
      ['DELETE', '/albums/1'],
      ['POST', '/albums'],
    ] as const) {
      const { statusCode } = await app.inject({ method, url, headers: { 'content-type': type }, payload: 'abc' })
      expect([type, method, url, [401, 415].includes(statusCode)]).toEqual([type, method, url, true])
    }
  }
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/albums',
    headers: { 'content-type': 'nonsense' },
  })
  expect([statusCode, JSON.parse(body).errors[0]]).toMatchObject([
    415,
    { code: 'MEDIA_TYPE_UNSUPPORTED', source: { header: 'Content-Type' } },
  ])
  expect((await server.fetch(new Request('http://a/albums/1'))).status).toBe(200)
  await app.close()
})
