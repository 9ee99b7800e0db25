import { parseMediaTypes } from '../../../core/document/media-type.js'
import { type Exchange, isInconclusive, isJsonApi, responded, sentQuery } from '../exchange/exchange.js'
import type { Ledger } from '../ledger/ledger.js'
import type { DescribedResponse, Description } from './description.js'

/** Checks an exchange against the OpenAPI document of the server. */
export function judgeDescribed(exchange: Exchange, description: Description, ledger: Ledger): void {
  const { request, response } = exchange
  if (isInconclusive(exchange) || request.method === 'HEAD' || request.url === description.source) return
  const operation = description.find(request.method, request.url)
  const isSuccess = response.status >= 200 && response.status < 300
  if (operation === null) {
    // OpenAPI 3.1 has no QUERY operations.
    if (isSuccess && isJsonApi(exchange) && request.method !== 'QUERY') {
      ledger.violate('openapi-operations', {
        problem: `${responded(exchange)}, and no operation describes it.`,
        exchange,
      })
    }
    return
  }
  if (isSuccess) ledger.observe('openapi-operations')
  const described = operation.response(response.status)
  ledger.expect(isSuccess ? 'openapi-status' : 'openapi-errors', described !== null, {
    problem: `${responded(exchange)}, which ${operation.method} ${operation.template} does not describe.`,
    exchange,
  })
  if (described === null) return
  judgeHeaders(exchange, described, ledger)
  judgeContent(exchange, described, { description, ledger })
}

function judgeHeaders(exchange: Exchange, { requiredHeaders }: DescribedResponse, ledger: Ledger): void {
  for (const name of requiredHeaders) {
    ledger.expect('openapi-headers', exchange.response.headers.has(name), {
      problem: `${responded(exchange)} without the header ${name}, which is described as required.`,
      exchange,
    })
  }
}

interface Judging {
  readonly description: Description
  readonly ledger: Ledger
}

function judgeContent(exchange: Exchange, { content }: DescribedResponse, { description, ledger }: Judging): void {
  const { response, mediaTypes } = exchange
  if (response.text === '' || content === null) return
  const sent = mediaTypes[0]?.name ?? ''
  const key = contentKey(Object.keys(content), response.headers.get('content-type') ?? '')
  ledger.expect('openapi-content-type', key !== undefined, {
    problem: `${responded(exchange)} with Content-Type: ${sent || 'none'}, but ${Object.keys(content).join(' and ')} is described.`,
    exchange,
  })
  const schema = key === undefined ? null : (content[key] ?? null)
  // A fieldset leaves out members that a schema may require.
  if (schema === null || exchange.document === undefined || isSparse(exchange)) return
  const problem = description.problemOf(schema, exchange.document)
  ledger.expect('openapi-body', problem === null, {
    problem: `${responded(exchange)}, but by the schema this ${problem?.text}.`,
    pointer: problem?.pointer ?? null,
    exchange,
  })
}

function isSparse({ request }: Exchange): boolean {
  return [...sentQuery(request).keys()].some((name) => name.startsWith('fields'))
}

/** Returns the media type that describes a content: with the same parameters, else with others, else a range. */
function contentKey(keys: readonly string[], sent: string): string | undefined {
  const [{ name } = { name: '' }] = parseMediaTypes(sent)
  const named = keys.filter((key) => parseMediaTypes(key)[0]?.name === name)
  const range = `${name.split('/')[0]}/*`
  return (
    keys.find((key) => plainText(key) === plainText(sent)) ??
    named[0] ??
    keys.find((key) => key === range || key === '*/*')
  )
}

function plainText(mediaType: string): string {
  return mediaType.toLowerCase().replaceAll(/[\s"]/g, '')
}
