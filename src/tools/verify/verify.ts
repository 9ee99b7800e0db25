import { openapiStatements } from '../format/statements/openapi.js'
import { type StatementId, statementIds } from '../format/statements/statements.js'
import { readChecks } from './checks/checks.js'
import { judgeByDescription } from './checks/openapi.js'
import type { Run } from './checks/run.js'
import { createAddresses } from './crawl/addresses.js'
import { type Crawl, createCrawl } from './crawl/crawl.js'
import { createKnowledge, type Knowledge, typeOf } from './crawl/knowledge.js'
import { dataDocument, type Exchange, isJsonApi, responded } from './exchange/exchange.js'
import { httpTransport, type Transport } from './exchange/http-transport.js'
import { createSender, type Sender, ServerUnreachable } from './exchange/sender.js'
import { createLedger, type Ledger } from './ledger/ledger.js'
import { describedCollections, plainUrls, urlsWithIds } from './openapi/described-urls.js'
import type { Description } from './openapi/description.js'
import { DescriptionError, findDescription } from './openapi/find-description.js'
import { createReport, type Report } from './report/report.js'
import { runWriteChecks } from './write/write-checks.js'

/** Thrown if a server cannot be verified. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
}

export interface VerifySettings {
  /** The address to start at: a collection, a resource, or a document with links to them. */
  readonly url: string
  /** Further addresses to start at, relative to the first. */
  readonly paths?: readonly string[]
  /** The base that the links of the server have instead of `url`. */
  readonly baseUri?: string | null
  /** Headers of every request. Their values are not reported. */
  readonly headers?: Readonly<Record<string, string>>
  /** The address or the file of the OpenAPI document. Default: looks for one. */
  readonly openapi?: string | null
  /** Whether resources are created, changed and deleted. Default: false. */
  readonly writes?: boolean
  /** Whether a warning is a failure. Default: false. */
  readonly strict?: boolean
  /** The statements of the run. Default: all. */
  readonly statements?: readonly StatementId[]
  readonly maxRequests?: number
  /** For the whole run, in milliseconds. */
  readonly timeout?: number
  /** Called with a text about the progress of the run, to show to the user. */
  readonly onProgress?: (text: string) => void
  /** Sends the requests. Default: over HTTP. */
  readonly transport?: Transport
}

/** The maximum number of concurrent requests. */
const connections = 4
/** For one request, in milliseconds. */
const requestTimeout = 15_000

const readRequests = 500
const writeRequests = 1000
/** In milliseconds. */
const defaultTimeout = 300_000

/**
 * Verifies a JSON:API server over HTTP: follows its links, and sends requests that show whether it conforms to the
 * format. Throws a `VerifyError` if there is no server, or none of JSON:API.
 */
export async function verify(settings: VerifySettings): Promise<Report> {
  const transport = settings.transport ?? httpTransport(connections)
  try {
    return await verifyBy(transport, settings)
  } catch (error) {
    if (!(error instanceof ServerUnreachable) && !(error instanceof DescriptionError)) throw error
    throw new VerifyError(error.message, { cause: error })
  } finally {
    if (settings.transport === undefined) transport.close()
  }
}

async function verifyBy(transport: Transport, settings: VerifySettings): Promise<Report> {
  const { url, headers = {}, writes = false, strict = false, onProgress, statements = statementIds } = settings
  const { maxRequests = writes ? writeRequests : readRequests, timeout = defaultTimeout } = settings
  const ledger = createLedger(new Set(statements))
  const knowledge = createKnowledge()
  const addresses = createAddresses({ url, baseUri: settings.baseUri ?? null })
  const exchanges: Exchange[] = []
  let stage = 'Reading'
  const sender: Sender = createSender({
    transport,
    headers,
    deadline: Date.now() + timeout,
    connections,
    requestTimeout,
    onExchange(exchange) {
      exchanges.push(exchange)
      onProgress?.(`${stage}: ${sender.sent} of at most ${maxRequests} requests`)
    },
  })
  const forReading = writes ? Math.floor(maxRequests / 2) : maxRequests
  sender.allow(forReading)
  const crawl = createCrawl({ sender, ledger, knowledge, addresses, connections })
  const description = await start(settings, crawl, knowledge)
  const run: Run = { sender, ledger, knowledge, addresses, description }
  await readLinks({ run, crawl, url, reserve: Math.floor(forReading / 2) })
  expectTypes(url, knowledge, exchanges)
  stage = 'Checking'
  await runReadChecks(run)
  stage = 'Reading'
  await crawl.run(0)
  sender.allow(maxRequests)
  stage = 'Writing'
  const leftBehind = writes ? await runWriteChecks(run) : []
  judgeByDescription(exchanges, run)
  noteLimits(sender, crawl, ledger, { maxRequests, timeout })
  return createReport({
    url,
    version: knowledge.version,
    writes,
    strict,
    requests: sender.sent,
    types: [...knowledge.types.keys()],
    openapi: description?.source ?? null,
    ledger,
    secrets: new Set(Object.keys(headers).map((name) => name.toLowerCase())),
    leftBehind,
  })
}

/** Runs the checks of the statements of the run. The check against the OpenAPI document needs the responses of all checks. */
async function runReadChecks(run: Run): Promise<void> {
  const isDescribed =
    run.description !== null && Object.keys(openapiStatements).some((id) => run.ledger.includes(id as StatementId))
  for (const check of readChecks) {
    if (isDescribed || check.statements.some((statement) => run.ledger.includes(statement))) await check.run(run)
  }
}

/** Reads the first address, and finds the OpenAPI document. */
async function start(settings: VerifySettings, crawl: Crawl, knowledge: Knowledge): Promise<Description | null> {
  const { url, paths = [], openapi = null } = settings
  const first = await crawl.read(url)
  if (first === null || first.failure !== null) {
    throw new VerifyError(`No server responds at ${url}: ${first?.failure ?? 'no request was sent'}.`)
  }
  const { origin, pathname } = new URL(url)
  const base = `${origin}${pathname.replace(/\/?$/, '/')}`
  for (const path of paths) crawl.add({ role: 'start', url: new URL(path.replace(/^\//, ''), base).href, source: null })
  crawl.add({ role: 'start', url, source: null })
  // The links of the first document are read now, because one of them may be that of the description.
  await crawl.runOnce()
  const description = await findDescription({
    url,
    given: openapi,
    linked: knowledge.describedby,
    read: (address) => crawl.read(address),
  })
  for (const address of description === null ? [] : plainUrls(description, url)) {
    crawl.add({ role: 'described', url: address, source: null })
  }
  return description
}

interface Reading {
  readonly run: Run
  readonly crawl: Crawl
  readonly url: string
  /** The number of requests that are reserved for the checks. */
  readonly reserve: number
}

async function readLinks({ run: { knowledge, description }, crawl, url, reserve }: Reading): Promise<void> {
  await crawl.run(reserve)
  for (const guess of guessedCollections(knowledge)) crawl.add({ role: 'guess', url: guess, source: null })
  if (description !== null) {
    for (const address of urlsWithIds(description, knowledge.reads, url)) {
      crawl.add({ role: 'described', url: address, source: null })
    }
  }
  await crawl.run(reserve)
  // A collection without resources does not show its type.
  for (const { url: address, type } of description === null ? [] : describedCollections(description, url)) {
    const exchange = knowledge.reads.find(({ request }) => request.url === address)
    const data = exchange === undefined ? null : dataDocument(exchange)?.['data']
    if (exchange !== undefined && Array.isArray(data)) typeOf(type, knowledge).collection ??= { url: address, exchange }
  }
}

/** Returns addresses that may be collections: the address of a resource without its id often is. */
function guessedCollections({ types }: Knowledge): readonly string[] {
  return [...types.values()].flatMap(({ collection, resources }) => {
    if (collection !== null) return []
    for (const { self, id } of resources.values()) {
      const end = `/${encodeURIComponent(id)}`
      if (self !== null && new URL(self).search === '' && self.endsWith(end)) return [self.slice(0, -end.length)]
    }
    return []
  })
}

function expectTypes(url: string, { types }: Knowledge, exchanges: readonly Exchange[]): void {
  if (types.size > 0) return
  const [first] = exchanges
  const seen =
    first === undefined ? '' : ` ${responded(first)}${isJsonApi(first) ? '' : ', which is no JSON:API document'}.`
  const isRefused = exchanges.some(({ response }) => response.status === 401 || response.status === 403)
  const remedy = isRefused
    ? 'Pass credentials with --token or --header.'
    : 'Name the address of a collection that has resources, or add one with --path.'
  throw new VerifyError(`No resources were found at ${url}.${seen} ${remedy}`)
}

interface Limits {
  readonly maxRequests: number
  readonly timeout: number
}

function noteLimits({ reached }: Sender, crawl: Crawl, ledger: Ledger, { maxRequests, timeout }: Limits): void {
  const count = crawl.unvisited
  if (reached === 'time')
    ledger.note(`The run ended after ${timeout / 1000} seconds, before it was complete: --timeout sets another limit.`)
  else if (count > 0 || reached !== null) {
    const left = [
      ...(count > 0 ? [`${count} links were not followed`] : []),
      ...(reached === null ? [] : ['some checks were not made']),
    ]
    ledger.note(
      `The run is not complete, because at most ${maxRequests} requests are sent: ${left.join(', and ')}. --max-requests sets another limit.`,
    )
  }
}
