import { env } from 'node:process'
import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { HttpHandle, OpenApiDocument, ServedPath } from 'ashlar'
import type { TestRequestOptions, TestResponse } from 'ashlar/testing'
import { documentChecks, type DocumentChecks } from './document-checks.js'

/** A server that describes itself. Tests may give the client something else, such as a server behind an adapter. */
export interface DescribedServer {
  readonly handle: HttpHandle
  readonly paths: readonly ServedPath[]
  openapi(server?: string): OpenApiDocument
}

/** A request of a test, and the response to it. */
export interface Exchange {
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly host: string
  readonly sent: TestRequestOptions
  readonly response: TestResponse
}

export function describesItself(server: object): server is DescribedServer {
  return 'openapi' in server && 'paths' in server
}

/**
 * One of so many exchanges is checked. The rest would take more time than the tests themselves: a document and its validators are made for
 * almost every server. `npm run test:long` checks all of them.
 */
const SAMPLE = env['ASHLAR_LONG'] === '1' || env['RECLOG'] !== undefined ? 1 : 16

/** Whether an exchange is in the sample. It depends on the exchange alone, so that a test fails in every run or in none. */
export function isInSample({ method, target, response }: Exchange): boolean {
  let hash = 0
  for (const character of `${method} ${target} ${response.status}`) {
    hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  }
  return hash % SAMPLE === 0
}

/** The checks of each server. */
const checksOf = new WeakMap<DescribedServer, readonly NamedChecks[]>()

interface NamedChecks {
  readonly prefix: string
  readonly host: string | null
  readonly checks: DocumentChecks
}

/** Throws if a request or its response is not as the OpenAPI document of the server describes it. */
export function checkExchange(server: DescribedServer, exchange: Exchange): void {
  const { method, target, host, response } = exchange
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  if (server.paths.some((each) => each.kind === 'description' && each.path === path)) return
  const found = namedChecks(server).filter(
    ({ prefix, host: own }) => path.startsWith(prefix) && (own === null || own === host),
  )
  const [own] = found.toSorted((a, b) => b.prefix.length - a.prefix.length)
  if (own === undefined) return
  const problems = own.checks({ ...exchange, path: path.slice(own.prefix.length), query })
  if (problems.length === 0) return
  if (env['RECLOG'] !== undefined) {
    appendFileSync(env['RECLOG'], `${JSON.stringify({ test: expect.getState().testPath?.split('/test/')[1], name: expect.getState().currentTestName, method, target, status: response.status, problems })}\n`)
    return
  }
  throw new Error(
    `${method} ${target} with the response ${response.status} is not as the OpenAPI document says:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  )
}

function namedChecks(server: DescribedServer): readonly NamedChecks[] {
  const known = checksOf.get(server)
  if (known !== undefined) return known
  const types = new Map(server.paths.filter(({ kind }) => kind === 'type').map((path) => [path.server, path]))
  const all = [...types.values()].map(({ server: name, path }) => {
    const document = server.openapi(name)
    const [address] = document.servers
    const host = /^\/\/([^/]+)/.exec(String(address?.['url']))?.[1] ?? null
    return { prefix: path.slice(0, path.lastIndexOf('/')), host, checks: documentChecks(document) }
  })
  checksOf.set(server, all)
  return all
}
