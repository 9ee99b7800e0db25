import { MEDIA_TYPE } from '../../../core/document/media-type.js'
import type { StatementId } from '../../format/statements/statements.js'
import type { KnownType } from '../crawl/knowledge.js'
import { responded } from '../exchange/exchange.js'
import { addressedIn, type Check, probe, type Run } from './run.js'

const extension = 'https://example.com/ashlar-verify/ext'
const profile = 'https://example.com/ashlar-verify/profile'

interface Accepted {
  readonly statement: StatementId
  readonly accept: string
  /** The status that the server must respond with. */
  readonly status: 200 | 406
}

const accepted: readonly Accepted[] = [
  { statement: 'response-not-acceptable', accept: `${MEDIA_TYPE}; charset=utf-8`, status: 406 },
  {
    statement: 'response-not-acceptable',
    accept: `${MEDIA_TYPE}; charset=utf-8, ${MEDIA_TYPE}; version=1`,
    status: 406,
  },
  { statement: 'response-not-acceptable', accept: `${MEDIA_TYPE}; charset=utf-8, ${MEDIA_TYPE}`, status: 200 },
  { statement: 'ext-not-acceptable', accept: `${MEDIA_TYPE}; ext="${extension}"`, status: 406 },
  { statement: 'ext-not-acceptable', accept: `${MEDIA_TYPE}; ext="${extension}", ${MEDIA_TYPE}`, status: 200 },
  { statement: 'profile-unrecognized', accept: `${MEDIA_TYPE}; profile="${profile}"`, status: 200 },
  // A weight (`q`) is not a parameter of the media type.
  { statement: 'fetch-responses-http-semantics', accept: `${MEDIA_TYPE};q=0.9, text/html;q=0.5`, status: 200 },
  { statement: 'fetch-responses-http-semantics', accept: '*/*', status: 200 },
]

/** https://jsonapi.org/format/1.1/#content-negotiation-servers */
export const negotiation: Check = {
  name: 'content negotiation',
  statements: accepted.map(({ statement }) => statement),
  async run(run) {
    const addresses = new Set(sampled([...run.knowledge.types.values()]))
    await Promise.all([...addresses].flatMap((url) => accepted.map((each) => checkAccept(url, each, run))))
  },
}

/** Returns one collection and one resource: servers negotiate for all addresses alike. */
function sampled(types: readonly KnownType[]): readonly string[] {
  const collection = types.find((type) => type.collection !== null)?.collection?.url
  const resource = types.map(addressedIn).find((each) => each !== null)?.self
  return [collection, resource].filter((url) => url !== undefined)
}

async function checkAccept(url: string, { statement, accept, status }: Accepted, run: Run): Promise<void> {
  const exchange = await probe(run, url, { headers: { Accept: accept } })
  if (exchange === null) return
  run.ledger.expect(statement, exchange.response.status === status, {
    problem: `${responded(exchange)}, not ${status}, to Accept: ${accept}`,
    exchange,
  })
}
