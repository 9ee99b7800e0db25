import { once } from 'node:events'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { FrameworkServer } from '../../../src/server/frameworks/framework-server.js'
import type { Server as AshlarServer } from 'ashlar'

/** A caller that the application in front of the server has found. */
export interface User {
  readonly id: number
}

/** The headers that the application sets for all responses. */
export const ownHeaders = {
  'X-App': 'yes',
  Vary: 'Origin',
  'Cache-Control': 'public, s-maxage=9, no-cache',
  'Set-Cookie': 'app=1',
}

/** A refusal, which each host throws as an error of its framework. */
export interface Refusal {
  readonly status: 401 | 503
  readonly headers: Readonly<Record<string, string>>
}

/** An error with its own status, for which the server has another status in its exception map. */
export class Suspended extends Error {
  readonly status = 403
  readonly statusCode = 403
}

/**
 * The authentication of the application: `alice` is a user, `mallory` is refused, `trent` comes when the application is too busy, `eve`
 * is suspended, and other names are unknown.
 */
export function userNamed(name: string | undefined): User | Refusal | null {
  if (name === 'mallory') return { status: 401, headers: { 'WWW-Authenticate': 'Name' } }
  if (name === 'trent') return { status: 503, headers: { 'Retry-After': '7' } }
  if (name === 'eve') throw new Suspended('not now')
  return name === 'alice' ? { id: 1 } : null
}

export function isRefusal(user: User | Refusal | null): user is Refusal {
  return user !== null && 'status' in user
}

/** The parts of an application. */
export interface Application {
  readonly server: FrameworkServer & Pick<AshlarServer<[]>, 'node' | 'fetch'>
  /** Whether a body parser of the framework reads JSON:API documents before the server does. */
  readonly parsesBodies?: boolean
  /** Whether the framework trusts the headers of a proxy. */
  readonly trustsProxy?: boolean
}

/** An application that listens. */
export interface Hosted {
  readonly port: number
  /** `http://127.0.0.1:port`, without the prefix. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Hosts a server at `/api/v1`. The application of a framework sets `ownHeaders`, authenticates callers by `userNamed()`, fails after a
 * response is made if the request has the header `X-Late-Failure`, and has its own routes: `/api/v1/hello`, `/api/v1/broken`, which
 * throws, and `own 404` for everything else.
 */
export interface Host {
  readonly name: string
  /** Whether the host is a framework with a router, middleware and body parsers. */
  readonly isFramework: boolean
  /** Whether the router of the framework itself refuses a path with malformed percent-encoding. */
  readonly refusesMalformedPaths?: boolean
  /** Whether the framework itself can trust the headers of a proxy. */
  readonly trustsProxies?: boolean
  /** The host of a request whose target is an absolute URL of `staff.example`, if the framework has it from there. */
  readonly hostOfTarget?: 'staff.example'
  /** Whether the host ends the connection half a second after its response if a body is still being sent. */
  readonly endsUnreadBodies?: boolean
  /** Whether its body parser leaves compressed bodies to plugins. */
  readonly leavesCompressedBodies?: boolean
  open(application: Application): Promise<Hosted>
}

/** A framework with a router. */
export interface Framework extends Host {
  /**
   * Places the routes of the server `staff` in a group at `/tenants/:tenant/staff`, which sets the header `X-Staff: yes` and
   * authenticates callers. Everything else is as in `open()`.
   */
  place(application: Application): Promise<Hosted>
}

/** Makes a response fail when it is sent, as a listener for its headers may: once, or some times. */
export function failLate(response: ServerResponse, times = 1): void {
  const writeHead = response.writeHead.bind(response)
  let left = times
  response.writeHead = () => {
    left -= 1
    if (left === 0) response.writeHead = writeHead
    throw new Error('late')
  }
}

/** Listens with a `node:http` server. */
export async function listening(listener: RequestListener): Promise<Hosted> {
  return hosted(createServer(listener).listen(0, '127.0.0.1'))
}

/** Listens with a function of the Web. */
export function listeningFetch(fetch: (request: Request) => Response | Promise<Response>): Promise<Hosted> {
  return hosted(serve({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }) as Server)
}

async function hosted(server: Server): Promise<Hosted> {
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
