import type { StatementId } from '../../format/statements/statements.js'
import type { Run } from '../checks/run.js'
import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { type Identity, identifiersIn, linksOf } from '../documents/document-links.js'
import { judgeResponse } from '../documents/judge-response.js'
import type { Exchange, SentRequest } from '../exchange/exchange.js'
import type { RequestOptions } from '../exchange/sender.js'
import { checkPointers } from './check-pointers.js'

/** A resource that the run has created. */
export interface Created extends Identity {
  readonly url: string
  /** The response to the create. */
  readonly exchange: Exchange
}

/** A run that may write. It records the resources that it has created, and removes them at the end. */
export interface WriteRun extends Run {
  readonly created: Created[]
}

/** Sends a write, judges the response, and remembers a resource that it creates. */
export async function write(
  run: WriteRun,
  url: string,
  options: RequestOptions,
  semantics: StatementId,
): Promise<Exchange | null> {
  const first = await run.sender.send(url, options)
  const exchange = first?.response.status === 428 ? await writeVersion(run, url, options) : first
  if (exchange === null) return null
  judgeResponse(exchange, { semantics }, run.ledger)
  checkPointers(exchange, run.ledger)
  run.ledger.expect(semantics, exchange.response.status < 500 || [501, 503].includes(exchange.response.status), {
    problem: `${options.method} ${new URL(url).pathname} responded ${exchange.response.status}, which is an error of the server.`,
    exchange,
  })
  if (semantics === 'create-http-semantics') rememberCreated(run, exchange)
  return exchange
}

/** Sends a write with the version of the resource, which some servers require. */
async function writeVersion(run: WriteRun, url: string, options: RequestOptions): Promise<Exchange | null> {
  const target = await run.sender.send(url.replace(/\/relationships\/[^/]+$/, ''))
  const version = target?.response.headers.get('etag')
  if (version === undefined) return run.sender.send(url, options)
  return run.sender.send(url, { ...options, headers: { ...options.headers, 'If-Match': version } })
}

/** Returns the address of the resource that a response has created; `null` if it has not created one. */
export function createdAddress(exchange: Exchange, run: Pick<WriteRun, 'created'>): string | null {
  return run.created.find((each) => each.exchange === exchange)?.url ?? null
}

/** Returns the address of the resource of a response: its self link, else the `Location`. */
function addressOf(exchange: Exchange, run: Run): string | null {
  const { document, response, request } = exchange
  const data = isJsonObject(document) ? document['data'] : null
  const href = linksOf(data)['self'] ?? response.headers.get('location')
  const address = href === undefined ? null : run.addresses.resolve(href, request.url)
  return address?.kind === 'internal' ? address.url : null
}

function rememberCreated(run: WriteRun, exchange: Exchange): void {
  const identity = createdIn(exchange, run)
  const url = identity === null ? null : (addressOf(exchange, run) ?? writtenAddress(exchange.request, identity))
  if (identity !== null && url !== null) run.created.push({ ...identity, url, exchange })
}

/** Returns the resource that a response has created. A resource that existed before must not be removed. */
function createdIn({ response: { status }, document, request }: Exchange, { knowledge }: Run): Identity | null {
  const data = isJsonObject(document) ? document['data'] : null
  const [shown] = Array.isArray(data) ? [] : identifiersIn(data)
  const sent = identityIn(request.body)
  const isKnown = shown !== undefined && knowledge.types.get(shown.type)?.resources.has(shown.id) === true
  switch (status) {
    case 201:
      return isKnown ? null : (shown ?? sent)
    case 204:
      return sent
    case 200:
      return isKnown ? null : (shown ?? null)
    default:
      return null
  }
}

/** Returns the address of a new resource: a `PUT` request has it, and that of other requests is the collection. */
function writtenAddress({ method, url }: SentRequest, { id }: Identity): string {
  return method === 'PUT' ? url : `${url.replace(/\/$/, '')}/${encodeURIComponent(id)}`
}

function identityIn(body: string | null): Identity | null {
  try {
    const document = JSON.parse(body ?? 'null') as unknown
    return isJsonObject(document) ? (identifiersIn(document['data'])[0] ?? null) : null
  } catch {
    return null
  }
}

/** Removes the resources that the run has created. Returns the addresses of those that could not be removed. */
export async function removeCreated(run: WriteRun): Promise<readonly string[]> {
  let left = [...new Set(run.created.map(({ url }) => url))].toReversed()
  // A resource that others refer to can often be removed only after them.
  for (let round = 0; round < 3 && left.length > 0; round += 1) {
    const remaining: string[] = []
    for (const url of left) if (!(await tryRemove(url, run))) remaining.push(url)
    if (remaining.length === left.length && round > 0) break
    left = remaining
  }
  return left.toReversed()
}

async function tryRemove(url: string, run: WriteRun): Promise<boolean> {
  const options = { method: 'DELETE', beyondLimits: true } as const
  const first = await run.sender.send(url, options)
  const status = first?.response.status ?? 0
  if (status === 428) {
    const current = await run.sender.send(url, { beyondLimits: true })
    const version = current?.response.headers.get('etag') ?? '*'
    const again = await run.sender.send(url, { ...options, headers: { 'If-Match': version } })
    return isRemovedStatus(again?.response.status ?? 0)
  }
  return isRemovedStatus(status)
}

function isRemovedStatus(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410
}
