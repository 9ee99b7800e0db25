import { placeRoutes } from 'ashlar/express'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expressHost } from './hosts/express.js'
import { fastifyHost } from './hosts/fastify.js'
import { honoHost } from './hosts/hono.js'
import type { Framework, Hosted } from './hosts/host.js'
import { nestHost } from './hosts/nest.js'
import { suiteServer } from './hosts/server.js'
import { album, MEDIA_TYPE, sendTo } from './send-to.js'

const frameworks: readonly Framework[] = [expressHost, fastifyHost, honoHost, nestHost]

describe.each(frameworks)('Routes that are placed in a group of $name', (framework) => {
  let app: Hosted
  let staff: string
  beforeAll(async () => {
    app = await framework.place({ server: suiteServer({}, { staff: { routing: 'manual' } }).server })
    staff = `${app.url}/tenants/acme/staff`
  })
  afterAll(() => app.close())

  it('have the path and the middleware of the group, and links that follow it', async () => {
    const { status, headers, document } = await sendTo(`${staff}/albums?page[number]=1`)
    expect([status, headers.get('x-staff'), headers.get('x-app')]).toEqual([200, 'yes', 'yes'])
    expect(document.data[0].links.self).toBe(`${staff}/albums/1`)
    expect(document.links.next).toMatch(`${staff}/albums?`)
    const related = await sendTo(document.data[0].relationships.artist.links.related)
    expect(related.document.links.self).toBe(`${staff}/albums/1/artist`)
    expect((await sendTo(`${staff}/albums/1/relationships/artist`)).document.data).toEqual({ type: 'artists', id: '1' })
  })

  it('have links with the parameters of the group as the client has sent them', async () => {
    for (const [sent, linked] of [
      ['%C3%A5', '%C3%A5'],
      ['a|b', 'a%7Cb'],
    ]) {
      const { document } = await sendTo(`${app.url}/tenants/${sent}/staff/albums/1`)
      expect(document.links.self).toBe(`${app.url}/tenants/${linked}/staff/albums/1`)
      expect(document.data.relationships.artist.links.related).toBe(
        `${app.url}/tenants/${linked}/staff/albums/1/artist`,
      )
    }
  })

  it('take writes, actions and batches', async () => {
    const { status, headers } = await sendTo(`${staff}/albums`, { method: 'POST', body: album('Roseland') })
    expect([status, headers.get('location')]).toEqual([201, `${staff}/albums/3`])
    expect((await sendTo(`${staff}/albums/3`, { method: 'DELETE' })).status).toBe(204)
    const raw = { method: 'POST', headers: { 'Content-Type': 'image/png' }, body: 'abc' }
    expect((await sendTo(`${staff}/albums/-actions/measure`, raw)).document.meta).toEqual({ bytes: 3 })
    const type = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`
    const operation = { op: 'update', href: `${staff}/artists/1`, data: { type: 'artists', id: '1', attributes: {} } }
    const batch = await sendTo(`${staff}/operations`, {
      method: 'POST',
      headers: { 'Content-Type': type, Accept: type },
      body: JSON.stringify({ 'atomic:operations': [operation] }),
    })
    expect(batch.status).toBe(200)
  })

  it('respond to every method of their paths, and to errors in front of them', async () => {
    const options = await sendTo(`${staff}/albums/1`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS'])
    expect((await sendTo(`${staff}/albums/1`, { method: 'HEAD' })).headers.get('content-type')).toBe(MEDIA_TYPE)
    expect((await sendTo(`${staff}/albums`, { method: 'PUT', body: album('x') })).document.errors[0].status).toBe('405')
    expect((await sendTo(`${staff}/albums/99`)).document.errors[0].code).toBe('RESOURCE_NOT_FOUND')
    const refused = await sendTo(`${staff}/albums/1/artist`, { headers: { Authorization: 'mallory' } })
    expect([refused.status, refused.document?.errors[0].title]).toEqual([401, 'Unauthorized'])
    expect((await sendTo(`${staff}/libraries/1`, { headers: { Authorization: 'alice' } })).status).toBe(200)
    expect((await sendTo(`${staff}/libraries/1`)).status).toBe(401)
  })

  it('are the only ones: other paths are left to the application, and the automatic routes to other servers', async () => {
    for (const path of ['', '/nothing', '/Albums', '/albums/1/a/b/c']) {
      expect(await sendTo(staff + path)).toMatchObject({ status: 404, text: 'own 404' })
    }
    expect((await sendTo(`${app.url}/api/v1/albums/1`)).document.links.self).toBe(`${app.url}/api/v1/albums/1`)
    expect((await sendTo(`${app.url}/api/v1/albums/1`)).headers.get('x-staff')).toBeNull()
  })
})

describe('placeRoutes()', () => {
  it('places the default server, too', async () => {
    const { server } = suiteServer({ routing: 'manual' })
    expect(server.paths).toContainEqual({ server: 'default', kind: 'type', path: '/albums', routing: 'manual' })
    expect(() => placeRoutes(express.Router(), server)).not.toThrow()
    expect((await server.fetch(new Request('http://a/albums'))).status).toBe(404)
  })

  it('refuses a server that does not exist, or whose routing is automatic', () => {
    const { server } = suiteServer()
    expect(() => placeRoutes(express.Router(), server)).toThrow(
      "Nothing can be placed: the routing of the server 'default' is automatic. Set servers.default.routing to 'manual'.",
    )
    expect(() => placeRoutes(express.Router(), server, { server: 'staff' })).toThrow(
      "Nothing can be placed: the server 'staff' has no routes.",
    )
  })
})
