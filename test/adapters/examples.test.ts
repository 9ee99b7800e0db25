import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { endPrograms, startProgram } from '../support/program.js'
import { album, sendTo } from './send-to.js'

afterAll(endPrograms)

describe.concurrent.each(['express', 'fastify', 'hono', 'nest'])('examples/frameworks/src/%s', (name) => {
  it('serves albums at its paths, next to the routes of the application', async () => {
    const program = startProgram(builtPackage().pathOf(`examples/frameworks/src/${name}/main.ts`), {
      environment: { PORT: '0' },
    })
    const [, url] = await program.printed(/Served at (http:\S+)/)
    const signedIn = { Authorization: 'alice' }
    expect(await sendTo(`${url}/hello`)).toMatchObject({ status: 200, text: 'Hello' })
    expect((await sendTo(`${url}/api/v1/albums/1`)).document.links.self).toMatch(/:\d+\/api\/v1\/albums\/1$/)
    const body = album('Third')
    expect((await sendTo(`${url}/api/v1/albums`, { method: 'POST', body })).document.errors[0].status).toBe('401')
    const created = await sendTo(`${url}/api/v1/albums`, { method: 'POST', body, headers: signedIn })
    expect([created.status, created.headers.get('location')]).toEqual([201, created.document.data.links.self])
    expect((await sendTo(`${url}/staff/albums/1`)).document.errors[0].title).toBe('Unauthorized')
    const { document } = await sendTo(`${url}/staff/albums/1`, { headers: signedIn })
    expect(document.links.self).toMatch(/:\d+\/staff\/albums\/1$/)
    expect((await sendTo(`${url}/api/v1/nothing`)).document).toBeUndefined()
    expect(program.output().stderr).toBe('')
  })
})

it('examples/frameworks/src/node serves albums next to the paths of the application', async () => {
  const program = startProgram(builtPackage().pathOf('examples/frameworks/src/node/main.ts'), {
    environment: { PORT: '0' },
  })
  const [, url] = await program.printed(/Served at (http:\S+)/)
  expect(await sendTo(`${url}/hello`)).toMatchObject({ status: 200, text: 'Hello' })
  expect((await sendTo(`${url}/albums/1`)).document.data.attributes).toEqual({ title: 'Dummy' })
  const created = await sendTo(`${url}/albums`, { method: 'POST', body: album('Third') })
  expect([created.status, created.headers.get('location')]).toEqual([201, `${url}/albums/2`])
  expect((await sendTo(`${url}/nothing`)).status).toBe(404)
  expect(program.output().stderr).toBe('')
})

it('the guide shows a whole file', () => {
  const file = 'examples/frameworks/src/express/main.ts'
  const [page, source] = ['docs/guide/into-your-application.md', file].map((path) => readFileSync(path, 'utf8'))
  expect(page).toContain(`\`\`\`ts from=${file}\n${source}\`\`\``)
})
