import { FORM } from '../../../core/document/media-type.js'
import { withQuery } from '../crawl/addresses.js'
import { dataDocument, type Exchange, isInconclusive, isRefused, responded } from '../exchange/exchange.js'
import type { KnownType } from '../crawl/knowledge.js'
import { addressedIn, addressesOf, type Check, probe, type Run } from './run.js'

/** A media type that no server knows. */
const unknownMediaType = 'text/x-ashlar-verify'

/** The number of addresses: servers read the bodies of all addresses alike. */
const mostAddresses = 4

/** Checks QUERY requests, where the OpenAPI document has them: https://www.rfc-editor.org/rfc/rfc10008 */
export const queries: Check = {
  name: 'QUERY requests',
  statements: ['query-equivalent', 'query-media-type', 'query-accept-query'],
  async run(run) {
    const { description, knowledge } = run
    const served = [...knowledge.types.values()].flatMap((type) =>
      addressesOf(type).flatMap((url) => {
        return description?.find('GET', url)?.servesQuery === true ? [{ url, type }] : []
      }),
    )
    await Promise.all(served.slice(0, mostAddresses).map(({ url, type }) => checkEquivalent(url, type, run)))
    const [first] = served
    if (first !== undefined) await checkMediaType(first.url, run)
  },
}

async function checkEquivalent(url: string, type: KnownType, run: Run): Promise<void> {
  const fieldset = fieldsetOf(type)
  const wanted = fieldset === null ? url : withQuery(url, fieldset)
  const read = await probe(run, wanted)
  if (read === null || dataDocument(read) === null) return
  const { origin, pathname, search } = new URL(wanted)
  const options = { method: 'QUERY', headers: { 'Content-Type': FORM }, body: search.slice(1) } as const
  const queried = await probe(run, `${origin}${pathname}`, options)
  if (queried === null) return
  const isSame = hasSameData(read, queried)
  // The resources may have changed between the requests.
  const again = isSame ? read : await probe(run, wanted)
  if (again === null || !hasSameData(read, again)) return
  run.ledger.expect('query-equivalent', isSame, {
    problem: `${responded(queried)} differently from GET ${pathname}${search}.`,
    exchange: queried,
  })
}

/** Returns the parameter for one attribute of a type; `null` if it has none. */
function fieldsetOf(type: KnownType): Readonly<Record<string, string>> | null {
  const sample = addressedIn(type) ?? [...type.resources.values()][0]
  const [attribute] = Object.keys(sample?.attributes ?? {}).filter((name) => /^[a-z]/i.test(name))
  return attribute === undefined ? null : { [`fields[${type.name}]`]: attribute }
}

function hasSameData(one: Exchange, other: Exchange): boolean {
  return JSON.stringify(dataDocument(one)?.['data']) === JSON.stringify(dataDocument(other)?.['data'])
}

async function checkMediaType(url: string, { sender, ledger }: Run): Promise<void> {
  const options = { method: 'QUERY', headers: { 'Content-Type': unknownMediaType }, body: 'a' } as const
  const exchange = await sender.send(url, options)
  if (exchange === null || isInconclusive(exchange) || isRefused(exchange)) return
  const isUnsupported = exchange.response.status === 415
  ledger.expect('query-media-type', isUnsupported, { problem: `${responded(exchange)}, not 415.`, exchange })
  if (!isUnsupported) return
  ledger.expect('query-accept-query', exchange.response.headers.has('accept-query'), {
    problem: `${responded(exchange)} without the header Accept-Query.`,
    exchange,
  })
}
