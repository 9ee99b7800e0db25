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
    const target = targetOf(pointer, sent)
    ledger.expect('error-source-pointer', target === 'value', {
      problem: `${responded(exchange)} with the pointer '${pointer}', which refers to ${target === 'missing member' ? 'a missing member' : 'no value'} of the request.`,
      exchange,
      // Servers point to where a missing member should be, so that clients find the field of a form. It is a warning for all of them.
      ...(target === 'missing member' ? { severity: 'warning' } : {}),
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

/** Returns what a pointer refers to. A missing member is one of an object in the primary data, or of a member of it that is missing too. */
function targetOf(pointer: string, document: unknown): 'value' | 'missing member' | 'nothing' {
  let value = document
  const [, ...tokens] = pointer.split('/')
  for (const token of tokens) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null) return 'nothing'
    if (!Object.hasOwn(value, name)) return tokens[0] === 'data' && !Array.isArray(value) ? 'missing member' : 'nothing'
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return 'value'
}
