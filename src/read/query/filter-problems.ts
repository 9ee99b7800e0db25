import { fail } from '../../errors/json-api-error.js'
import type { FilterValue } from '../../operation/query-parameters.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { FilterSpec } from '../../resource/filters/filter-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { HandlerServices } from '../request-services.js'
import { momentAttribute, readBound } from './filter-bound.js'
import { constraintMessages } from './filter-constraints.js'
import type { AimedFilter, TextReading } from './filter-text.js'
import { readText } from './filter-text.js'
import { sentTexts } from './filter-value.js'

/** What a value of a filter is held to. */
export interface FilterChecks {
  readonly context: RequestContext
  readonly services: Pick<HandlerServices, 'schemas' | 'maxErrors' | 'maxFilterValues'>
}

/** What is wrong with a value that a client sent, in sentences: its shape, what it should be, what is demanded of it. */
export async function filterMessages(
  filter: AimedFilter,
  sent: FilterValue,
  { context, services }: FilterChecks,
): Promise<readonly string[]> {
  const { constraints } = filter.spec
  const misshapen = shapeMessage(filter.spec, sent)
  if (misshapen !== null) return [misshapen]
  const { schemas, maxErrors: limit } = services
  const messages: string[] = []
  for (const { text, reading, attribute } of readings(filter, sent)) {
    if (messages.length >= limit) break
    if (reading.kind === 'unfit') messages.push(reading.message)
    else {
      const value = { text, wire: reading.wire, attribute }
      messages.push(...(await constraintMessages(constraints, value, { context, schemas, limit })))
    }
  }
  return messages.slice(0, limit)
}

/** A list has a limit, whether it was sent as one or is made of a text. */
export function checkLength(
  spec: FilterSpec,
  sent: FilterValue,
  { services: { maxFilterValues: limit }, parameter }: FilterChecks & { readonly parameter: string },
): void {
  if (longest(spec, sent) > limit) {
    fail('LIMIT_EXCEEDED', { limit, subject: 'values of one filter' }, { source: { parameter } })
  }
}

function longest(spec: FilterSpec, sent: FilterValue): number {
  const { test, shape } = spec
  if (test.kind === 'all' || test.kind === 'any') {
    return Math.max(0, ...Object.values(test.filters).map((member) => longest(member, sent)))
  }
  const value = shape === 'set' ? sentTexts(spec, sent) : null
  return value?.kind === 'texts' ? value.texts.length : 0
}

/** A group takes what one of its members takes. */
function shapeMessage(spec: FilterSpec, sent: FilterValue): string | null {
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

/** Each text of a value, as the filter reads it. */
function readings(filter: AimedFilter, sent: FilterValue): readonly SentReading[] {
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
