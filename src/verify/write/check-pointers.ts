import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { type Exchange, responded } from '../exchange/exchange.js'
import type { Ledger } from '../ledger/ledger.js'

/** Checks that pointers of errors refer to values of the request. https://jsonapi.org/format/1.1/#error-objects */
export function checkPointers(exchange: Exchange, ledger: Ledger): void {
  const { document, request } = exchange
  const errors = isJsonObject(document) && Array.isArray(document['errors']) ? document['errors'] : []
  const sent = parsed(request.body)
  if (sent === undefined) return
  for (const error of errors.filter(isJsonObject)) {
    const { source } = error
    const pointer = isJsonObject(source) ? source['pointer'] : undefined
    if (typeof pointer !== 'string') continue
    ledger.expect('error-source-pointer', pointsToValue(pointer, sent), {
      problem: `${responded(exchange)} with the pointer '${pointer}', which refers to no value of the request.`,
      exchange,
      // Many servers point to a missing member, and the format lets clients ignore such a pointer.
      severity: 'warning',
    })
  }
}

function parsed(body: string | null): unknown {
  try {
    return body === null ? undefined : (JSON.parse(body) as unknown)
  } catch {
    return undefined
  }
}

function pointsToValue(pointer: string, document: unknown): boolean {
  let value = document
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return true
}
