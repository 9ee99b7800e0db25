import { expressAdapter } from 'ashlar/express'
import express, { type ErrorRequestHandler } from 'express'
import { expect, test } from 'vitest'
import { failLate, listening } from './hosts/host.js'
import { suiteServer } from './hosts/server.js'
import { sendTo } from './send-to.js'

const ownErrors: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).type('text').send(`own error: ${error.message}`)
}

test('Express gets the error of a response that cannot be sent, and neither can its error document', async () => {
  const app = express()
  app.use((_request, response, next) => {
    failLate(response, 2)
    next()
  })
  app.use(expressAdapter(suiteServer().server))
  app.use(ownErrors)
  const hosted = await listening(app)
  try {
    expect(await sendTo(`${hosted.url}/albums/1`)).toMatchObject({ status: 500, text: 'own error: late' })
  } finally {
    await hosted.close()
  }
})
