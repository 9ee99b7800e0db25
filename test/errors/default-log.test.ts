import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { applicationFolder } from '../support/application-folder.js'
import { endPrograms, startProgram } from '../support/program.js'

afterAll(endPrograms)

/** Each request fails in another place, and through another adapter. */
const program = `
import { createServer as createHttpServer } from 'node:http'
import { once } from 'node:events'
import { DatabaseSync } from '@photostructure/sqlite'
import { atomic, createServer, defineResource, id, model } from 'ashlar'
import { expressAdapter } from 'ashlar/express'
import { fastifyAdapter } from 'ashlar/fastify'
import { honoAdapter } from 'ashlar/hono'
import { memoryData } from 'ashlar/memory'
import { sqlData, table } from 'ashlar/sql'
import express from 'express'
import { fastify } from 'fastify'

const fails = (place) => () => { throw new Error('failed in ' + place) }
const type = (name, members) => defineResource(name, { model: model(name), id: id(), ...members })
const server = createServer({
  resources: [
    type('hooked', { hooks: { beforeSave: fails('a hook') } }),
    type('computed', { attributes: (a) => ({ title: a.string().computed(fails('an attribute')) }) }),
    type('stored', { model: table('stored') }),
    type('later', { hooks: { afterSave: fails('a hook after the commit') } }),
  ],
  data: [
    { ...sqlData(new DatabaseSync(':memory:')), types: ['stored'] },
    { ...memoryData({ computed: [{ id: 1 }] }), types: ['hooked', 'computed', 'later'] },
  ],
  policy: 'public',
  extensions: [atomic()],
  ...JSON.parse(process.argv[2]),
})

const accept = 'application/vnd.api+json'
const json = (body, extension = '') => ({ method: 'POST', headers: { accept: '*/*', 'content-type': accept + extension }, body: JSON.stringify(body) })
const hooked = json({ data: { type: 'hooked' } })
const batch = json({ 'atomic:operations': [{ op: 'add', data: { type: 'later' } }] }, ';ext="https://jsonapi.org/ext/atomic"')
const statuses = []
const tell = async (response) => statuses.push(response.status, (await response.json()).errors?.[0]?.title)
const listening = async (listener, path, init) => {
  const http = createHttpServer(listener).listen(0, '127.0.0.1')
  await once(http, 'listening')
  await tell(await fetch('http://127.0.0.1:' + http.address().port + path, init))
  http.close()
}

await tell(await server.fetch(new Request('http://localhost/computed/1')))
await listening(server.node, '/hooked', hooked)
await listening(express().use(expressAdapter(server)), '/stored', {})
await tell(await honoAdapter(server, { caller: fails('a caller of Hono') }).request('http://localhost/computed/1'))
const app = fastify()
app.register(fastifyAdapter(server))
await tell((({ statusCode: status, json }) => ({ status, json }))(await app.inject({ url: '/computed/1' })))
await app.close()
await tell(await server.fetch(new Request('http://localhost/operations', batch)))
console.log(JSON.stringify(statuses))
process.exit(0)
`

async function ran(settings: object) {
  const { path } = applicationFolder({ 'main.js': program })
  const running = startProgram(join(path, 'main.js'), { args: [JSON.stringify(settings)], cwd: path })
  const code = await running.ended
  const { stdout, stderr } = running.output()
  return { code, statuses: stdout, stderr }
}

test('a server without a logger writes each unexpected exception to standard error, and logger: null changes only that', async () => {
  const [logged, silent] = await Promise.all([ran({}), ran({ logger: null })])
  expect(logged.stderr.match(/^Error: .*$/gm)?.filter((line) => line.includes('('))).toEqual([
    expect.stringMatching(/^Error: GET \/computed\/1 \(500, request [\w-]+\): failed in an attribute$/),
    expect.stringMatching(/^Error: POST \/hooked \(500, request [\w-]+\): failed in a hook$/),
    expect.stringMatching(/^Error: GET \/stored \(500, request [\w-]+\): .*table/),
    expect.stringMatching(/^Error: GET \/computed\/1 \(500, request [\w-]+\): failed in a caller of Hono$/),
    expect.stringMatching(/^Error: GET \/computed\/1 \(500, request [\w-]+\): failed in an attribute$/),
    expect.stringMatching(/^Error: POST \/operations \(request [\w-]+\): failed in a hook after the commit$/),
  ])
  expect(logged.stderr).toMatch(/failed in a hook\nError: failed in a hook\n {4}at .*main\.js/)
  expect(silent).toEqual({ ...logged, stderr: '' })
  expect(logged).toMatchObject({
    code: 0,
    statuses: expect.stringMatching(/^(?:\[)(?:500,"Internal Server Error",){5}200,null\]\n$/),
  })
})
