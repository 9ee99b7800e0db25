import { expressAdapter } from 'ashlar/express'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { failLate, listening } from './hosts/host.js'
import { suiteServer } from './hosts/server.js'
import { sendTo } from './send-to.js'

const ownErrors: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).type('text').send(`own error: ${error.message}`)
}

const refuse: RequestHandler = (_request, response) => void response.status(403).send('refused')

test('a path has one spelling, so that handlers of Express at a path of a type are in front of all its requests', async () => {
  const app = express()
  app.use(
    ['/api/artists', '/api/albums/-actions', '/api/albums/1/artist', '/api/albums/1/relationships/artist'],
    refuse,
  )
  app.use('/api', expressAdapter(suiteServer().server))
  const hosted = await listening(app)
  const statusAt = async (path: string): Promise<number | undefined> => {
    const { status } = await sendTo(`${hosted.url}/api${path}`, { method: path.includes('ctions') ? 'POST' : 'GET' })
    return status
  }
  try {
    for (const path of ['/artists', '/albums/-actions/measure', '/albums/1/artist', '/albums/1/relationships/artist']) {
      expect([path, await statusAt(path)]).toEqual([path, 403])
      for (const odd of [path.replace('a', '%61'), path.replace('-', '%2d'), path.replace('tist', '%74ist')]) {
        expect([odd, [403, 404].includes((await statusAt(odd)) ?? 0)]).toEqual([odd, true])
      }
    }
    expect([await statusAt('/albums/%31?fields[albums]=%74itle'), await statusAt('/albums/%')]).toEqual([200, 400])
  } finally {
    await hosted.close()
  }
})

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
