import { fail } from '../../../core/errors/json-api-error.js'
import type { Sentence } from '../../../core/errors/sentence.js'
import type { FilterValue } from '../../operation/query-parameters.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { FilterSpec } from '../../../declare/resource/filters/filter-spec.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { RequestServices } from '../read-context.js'
import { momentAttribute, readBound } from './filter-bound.js'
import { constraintMessages } from './filter-constraints.js'
import type { TargetedFilter, TextReading } from './filter-text.js'
import { readText } from './filter-text.js'
import { sentTexts } from './filter-value.js'

/** The request context and the settings with which a value of a filter is checked. */
export interface FilterChecks {
  readonly context: RequestContext
  readonly services: Pick<RequestServices, 'schemas' | 'maxErrors'>
}

/** Checks the shape and the type of a value that a client sent, and the filter's constraints. Returns the messages. */
export async function filterMessages(
  filter: TargetedFilter,
  sent: FilterValue,
  { context, services }: FilterChecks,
): Promise<readonly (Sentence | string)[]> {
  const { constraints } = filter.spec
  const misshapen = shapeMessage(filter.spec, sent)
  if (misshapen !== null) return [misshapen]
  const { schemas, maxErrors: limit } = services
  const messages: (Sentence | string)[] = []
  for (const { text, reading, attribute } of readTexts(filter, sent)) {
    if (messages.length >= limit) break
    if (reading.kind === 'unfit') messages.push(reading.message)
    else {
      const value = { text, wire: reading.wire, attribute }
      messages.push(...(await constraintMessages(constraints, value, { context, schemas, limit })))
    }
  }
  return messages.slice(0, limit)
}

/** The limits of the values of one filter, and its parameter. */
interface FilterLengths {
  readonly maxFilterValues: number
  readonly maxFilterLength: number
  readonly parameter: string
}

/**
 * Fails if a list has more values than the limit, whether it was sent as a list or is split from a text, and if a single
 * value is too long: the time of a search in a text grows with the length of both.
 */
export function checkFilterLength(
  spec: FilterSpec,
  sent: FilterValue,
  { maxFilterValues, maxFilterLength, parameter }: FilterLengths,
): void {
  const exceeded = (limit: number, subject: string): never =>
    fail('LIMIT_EXCEEDED', { limit, subject }, { source: { parameter } })
  for (const { texts, isList } of textLists(spec, sent)) {
    if (isList && texts.length > maxFilterValues) exceeded(maxFilterValues, 'values of one filter')
    if (texts.some((text) => text.length > maxFilterLength)) {
      exceeded(maxFilterLength, 'characters in one value of a filter')
    }
  }
}

/** Returns the texts that the filter, or each member of its group, makes of a value. */
function textLists(
  spec: FilterSpec,
  sent: FilterValue,
): readonly { readonly texts: readonly string[]; readonly isList: boolean }[] {
  const { test, shape } = spec
  if (test.kind === 'all' || test.kind === 'any') {
    return Object.values(test.filters).flatMap((member) => textLists(member, sent))
  }
  const value = sentTexts(spec, sent)
  if (value.kind === 'misshapen') return []
  const texts = value.kind === 'texts' ? value.texts : value.bounds.map(([, text]) => text)
  return [{ texts, isList: shape === 'set' }]
}

/** Returns a message if the shape of a value is wrong. A group accepts the shapes that one of its members accepts. */
function shapeMessage(spec: FilterSpec, sent: FilterValue): Sentence | null {
  if (spec.test.kind === 'all' || spec.test.kind === 'any') {
    const messages = Object.values(spec.test.filters).map((member) => shapeMessage(member, sent))
    return messages.includes(null) ? null : (messages[0] ?? null)
  }
  const value = sentTexts(spec, sent)
  return value.kind === 'misshapen' ? value.message : null
}

interface SentReading {
  readonly text: string
  readonly reading: TextReading
  readonly attribute: AttributeSpec | null
}

/** Parses each text of a value as the filter does. */
function readTexts(filter: TargetedFilter, sent: FilterValue): readonly SentReading[] {
  const { spec, target } = filter
  const value = sentTexts(spec, sent)
  switch (value.kind) {
    case 'texts':
      return value.texts.map((text) => {
        return { text, reading: readText(text, filter), attribute: target?.attribute ?? null }
      })
    case 'bounds': {
      const moments = spec.test.kind === 'range' && spec.test.moments
      const attribute = moments ? momentAttribute(filter) : (target?.attribute ?? null)
      return value.bounds.map(([side, text]) => {
        return { text, reading: readBound(text, side, filter).reading, attribute }
      })
    }
    case 'misshapen':
      return []
  }
}
