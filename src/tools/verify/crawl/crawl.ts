import { isJsonObject } from '../../format/inspection/document-inspection.js'
import {
  includedResources,
  linksOf,
  primaryResources,
  relationshipsOf,
  type ResourceObject,
} from '../documents/document-links.js'
import { judgeResponse, type ResponseExpectation } from '../documents/judge-response.js'
import { dataDocument, type Exchange } from '../exchange/exchange.js'
import type { Sender } from '../exchange/sender.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Addresses } from './addresses.js'
import { createFrontier, type Frontier, type Target } from './frontier.js'
import { judgeTarget } from './judge-target.js'
import { type Knowledge, learnCollection, learnFrom, learnRelation } from './knowledge.js'

export interface CrawlSettings {
  readonly sender: Sender
  readonly ledger: Ledger
  readonly knowledge: Knowledge
  readonly addresses: Addresses
  readonly connections: number
}

/** Visits the links of a server. */
export interface Crawl {
  /** Adds an address to visit. */
  add(target: Target): void
  /** Visits addresses until there are no more, or until so many requests are left. */
  run(reserve: number): Promise<void>
  /** Visits the addresses that were added until now, but not the links in their responses. */
  runOnce(): Promise<void>
  /** Reads an address, once, and follows redirects. */
  read(url: string): Promise<Exchange | null>
  /** The number of addresses that were not visited. */
  readonly unvisited: number
}

interface CrawlState extends CrawlSettings {
  readonly frontier: Frontier
  readonly exchanges: Map<string, Promise<Exchange | null>>
  /** The roles and addresses that were added. */
  readonly added: Set<string>
  /** The addresses whose responses were judged. */
  readonly judged: Set<string>
  /** The addresses whose links were followed. */
  readonly expanded: Set<string>
}

export function createCrawl(settings: CrawlSettings): Crawl {
  const { sender, connections } = settings
  const frontier = createFrontier()
  const state = {
    ...settings,
    frontier,
    exchanges: new Map(),
    added: new Set<string>(),
    judged: new Set<string>(),
    expanded: new Set<string>(),
  }
  const visitWhile = async (reserve: number): Promise<void> => {
    while (sender.left > reserve) {
      const target = frontier.next()
      if (target === null) return
      await visit(target, state)
    }
  }
  return {
    add: (target) => add(target, state),
    read: (url) => read(url, state),
    async run(reserve) {
      // A worker ends when the frontier is empty, while other workers may still add to it.
      while (frontier.size > 0 && sender.left > reserve) {
        await Promise.all(Array.from({ length: connections }, () => visitWhile(reserve)))
      }
    },
    async runOnce() {
      const targets = Array.from({ length: frontier.size }, () => frontier.next())
      for (const target of targets) if (target !== null) await visit(target, state)
    },
    get unvisited() {
      return frontier.size
    },
  }
}

function add(target: Target, { added, frontier }: CrawlState): void {
  const key = `${target.role} ${target.url}`
  if (added.has(key)) return
  added.add(key)
  frontier.add(target)
}

function read(url: string, state: CrawlState): Promise<Exchange | null> {
  const known = state.exchanges.get(url) ?? readOnce(url, state)
  state.exchanges.set(url, known)
  return known
}

/** Reads an address and follows redirects, as a client would. A 303 redirects to another resource, such as the result of a job. */
async function readOnce(url: string, { sender, addresses }: CrawlSettings): Promise<Exchange | null> {
  // The user may name an OpenAPI document of another server, which must not get the credentials of this one.
  let exchange = await sender.send(url, { isAnonymous: addresses.resolve(url, url).kind !== 'internal' })
  for (let times = 0; times < 3 && exchange !== null; times += 1) {
    const location = exchange.response.headers.get('location')
    if (![301, 302, 307, 308].includes(exchange.response.status) || location === undefined) break
    const address = addresses.resolve(location, exchange.request.url)
    if (address.kind !== 'internal') break
    exchange = await sender.send(address.url)
  }
  return exchange
}

async function visit(target: Target, state: CrawlState): Promise<void> {
  const { ledger, knowledge, addresses, judged, frontier } = state
  const exchange = await read(target.url, state)
  if (exchange === null) {
    // A limit is reached: the address was not visited.
    frontier.add(target)
    return
  }
  if (!judged.has(target.url)) {
    judged.add(target.url)
    // An address that the user gave, or that was guessed, need not be one of JSON:API.
    const isFound = exchange.response.status === 200 || (target.role !== 'start' && target.role !== 'guess')
    if (isFound) judgeResponse(exchange, expectationOf(target), ledger)
    learnFrom(exchange, knowledge, addresses)
    if (dataDocument(exchange) !== null) knowledge.reads.push(exchange)
  }
  if (isCollectionRole(target) && learnCollection(exchange, knowledge)) {
    ledger.observe('fetch-primary-data-collection', 'logical-collection')
  }
  if (target.role === 'relationship' || target.role === 'related') learnRelation(target, exchange, knowledge)
  judgeTarget(target, exchange, ledger)
  if (exchange.response.status === 200) followDocument(exchange, state)
}

function expectationOf({ role }: Target): ResponseExpectation {
  const isDocument = !['start', 'entry', 'guess', 'described'].includes(role)
  return role === 'relationship'
    ? { isDocument, isLinkage: true, semantics: 'fetch-relationships-http-semantics' }
    : { isDocument }
}

function isCollectionRole({ role, url }: Target): boolean {
  const isPlain = role === 'start' || new URL(url).search === ''
  return isPlain && ['start', 'entry', 'guess', 'described', 'document'].includes(role)
}

const paginationNames: readonly string[] = ['first', 'last', 'prev', 'next']

/** Adds the addresses that a document links to. Links with other names are skipped: they may not be readable. */
function followDocument(source: Exchange, state: CrawlState): void {
  const { document, request } = source
  if (!isJsonObject(document) || state.expanded.has(request.url)) return
  state.expanded.add(request.url)
  const isEntry = !Object.hasOwn(document, 'data')
  for (const [name, href] of Object.entries(linksOf(document))) {
    if (name === 'self') follow(href, source, state, (url) => ({ role: 'document', name, url, source }))
    else if (paginationNames.includes(name)) follow(href, source, state, (url) => ({ role: 'page', name, url, source }))
    else if (isEntry && name !== 'describedby') follow(href, source, state, (url) => ({ role: 'entry', url, source }))
  }
  for (const resource of [...primaryResources(document), ...includedResources(document)]) {
    followResource(resource, source, state)
  }
}

function followResource(resource: ResourceObject, source: Exchange, state: CrawlState): void {
  const { self } = linksOf(resource.object)
  if (self !== undefined) follow(self, source, state, (url) => ({ role: 'resource', url, source, resource }))
  for (const relationship of relationshipsOf(resource)) {
    const { self: linkageUrl, related } = relationship
    if (linkageUrl !== null)
      follow(linkageUrl, source, state, (url) => ({ role: 'relationship', url, source, relationship }))
    if (related !== null) follow(related, source, state, (url) => ({ role: 'related', url, source, relationship }))
  }
}

function follow(href: string, source: Exchange, state: CrawlState, build: (url: string) => Target): void {
  const address = state.addresses.resolve(href, source.request.url)
  switch (address.kind) {
    case 'internal':
      add(build(address.url), state)
      noteParameters(href, address.url, source, state.knowledge)
      return
    case 'external':
      state.ledger.note(
        `Links to ${address.origin} were not followed. If this server has that address too, pass --base-uri.`,
      )
      return
    case 'invalid':
      return
  }
}

/** Remembers the names of the query parameters that the server itself uses in links. */
function noteParameters(href: string, url: string, source: Exchange, { linkParameters }: Knowledge): void {
  const requested = new URL(source.request.url).searchParams
  for (const name of new URL(url).searchParams.keys()) {
    if (!requested.has(name) && !linkParameters.has(name)) linkParameters.set(name, { href, exchange: source })
  }
}
