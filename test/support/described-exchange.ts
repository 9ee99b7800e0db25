import { env } from 'node:process'
import { expect, inject } from 'vitest'
import type { OpenApiDocument, Server } from 'ashlar'
import type { HttpHandle } from '../../src/core/http/response.js'
import { lazily } from '../../src/core/util/lazily.js'
import type { ServedPath } from '../../src/serve/route/route-description.js'
import type { TestRequestOptions, TestResponse } from 'ashlar/testing'
import { isLong } from './runs.js'
import { documentChecks, type DocumentChecks } from './document-checks.js'
import { onEveryStore } from './store-free.js'

/** A server that describes itself. Tests may give the client something else, such as a server behind an adapter. */
export interface DescribedServer {
  readonly handle: HttpHandle
  readonly paths: readonly ServedPath[]
  openapi(server?: string, options?: Parameters<Server['openapi']>[1]): OpenApiDocument
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

/** The part of an exchange that is not checked: the query, the whole request, or all of it. */
type ExemptPart = 'queries' | 'requests' | 'exchanges'

/** The parts of exchanges that are not checked, by test. */
const exemptions = new Map<string, ExemptPart>()

/**
 * Declares that the running test sends an undescribed request that succeeds, or that its code violates the contract on purpose.
 *
 * @param reason why the document does not describe it
 */
export function exemptFromDescription(part: ExemptPart, reason: string): void {
  if (reason === '') throw new Error('An exemption needs a reason.')
  exemptions.set(testKey(), part)
}

function testKey(): string {
  const { testPath = '', currentTestName = '' } = expect.getState()
  return `${testPath}\n${currentTestName}`
}

/** What the tests of a file have had: the kinds of exchanges, and the servers that were described for them. */
interface Sample {
  readonly kinds: Set<string>
  readonly servers: Set<DescribedServer>
}

const samples = new Map<string, Sample>()

/** The number of servers of a test file that are described. */
const mostServers = 4

/**
 * Whether an exchange is the first of its kind in its test file: by method, path and status. Most servers of the tests get a few
 * requests, and to describe a server takes longer than that: only the first servers of a file are described. Chapters that run on several
 * stores are checked on one. `npm run test:long` checks all exchanges.
 */
export function isInSample(server: DescribedServer, { method, target, response }: Exchange): boolean {
  if (isLong || env['ASHLAR_DESCRIBED'] === 'all') return true
  const { testPath = '' } = expect.getState()
  if (inject('store') !== 'memory' && onEveryStore.test(testPath)) return false
  const { kinds, servers } = samples.get(testPath) ?? { kinds: new Set(), servers: new Set() }
  // A worker runs one file after the other.
  if (!samples.has(testPath)) samples.clear()
  samples.set(testPath, { kinds, servers })
  if (!servers.has(server) && servers.size === mostServers) return false
  const [path = ''] = target.split('?', 1)
  const segments = path.split('/').map((segment) => (/\d/.test(segment) ? '{id}' : segment))
  const kind = `${method} ${segments.join('/')} ${response.status}`
  if (kinds.has(kind)) return false
  kinds.add(kind)
  servers.add(server)
  return true
}

/** Returns the query in the body of a QUERY request: that of a form, or the fieldsets of a JSON document, which say what the response shows. */
function queryInBody({ raw, body }: TestRequestOptions): string {
  if (typeof raw === 'string') return raw
  const types = Object.keys((body as { readonly fields?: object } | undefined)?.fields ?? {})
  return types.map((type) => `fields[${type}]=`).join('&')
}

/** The named servers of each server: those with the longest prefix first. */
const namedOf = new WeakMap<DescribedServer, readonly NamedServer[]>()

interface NamedServer {
  readonly prefix: string
  /** Describes the server when it is asked for the first time: most tests use one of several. */
  readonly described: () => DescribedAs
  /** By OpenAPI 3.2, the first version with QUERY operations. */
  readonly describedWithQuery: () => DescribedAs
}

interface DescribedAs {
  readonly host: string | null
  readonly checks: DocumentChecks
}

/** The response to a JSON query has no links, because there is no equal URL. One schema describes it and the response to a GET request. */
const noLinks = "must have the member 'links'"

/** Throws if a request or its response is not as the OpenAPI document of the server describes it. */
export function checkExchange(server: DescribedServer, exchange: Exchange): void {
  const exempt = exemptions.get(testKey())
  if (exempt === 'exchanges') return
  const { method, target, host, sent, response } = exchange
  const isQuery = method === 'QUERY'
  const [path = '', inUrl = ''] = target.split(/\?(.*)/s)
  if (server.paths.some((each) => each.kind === 'description' && each.path === path)) return
  const own = namedServers(server).find(({ prefix, described }) => {
    return path.startsWith(prefix) && [null, host].includes(described().host)
  })
  if (own === undefined) return
  const { checks } = isQuery ? own.describedWithQuery() : own.described()
  const problems = checks({
    ...exchange,
    path: path.slice(own.prefix.length),
    query: isQuery ? queryInBody(sent) : inUrl,
    isQueryChecked: exempt === undefined && (!isQuery || sent.body === undefined),
    isBodyChecked: exempt !== 'requests',
  }).filter((problem) => !isQuery || sent.body === undefined || !problem.endsWith(noLinks))
  if (problems.length === 0) return
  throw new Error(
    `${method} ${target} with the response ${response.status} is not as the OpenAPI document says:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  )
}

function namedServers(server: DescribedServer): readonly NamedServer[] {
  const known = namedOf.get(server)
  if (known !== undefined) return known
  const types = new Map(server.paths.filter(({ kind }) => kind === 'type').map((path) => [path.server, path]))
  const all = [...types.values()].map(({ server: name, path }): NamedServer => {
    const described = (openapiVersion: '3.1' | '3.2') =>
      lazily(() => describedAs(server.openapi(name, { openapiVersion })))
    return {
      prefix: path.slice(0, path.lastIndexOf('/')),
      described: described('3.1'),
      describedWithQuery: described('3.2'),
    }
  })
  const sorted = all.toSorted((a, b) => b.prefix.length - a.prefix.length)
  namedOf.set(server, sorted)
  return sorted
}

function describedAs(document: OpenApiDocument): DescribedAs {
  const [address] = document.servers
  const host = /^\/\/([^/]+)/.exec(String(address?.['url']))?.[1] ?? null
  return { host, checks: documentChecks(document) }
}
