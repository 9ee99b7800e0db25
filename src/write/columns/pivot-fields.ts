import { compileAttribute } from '../../resource/fields/compile-attribute.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import { storedFields } from './stored-attributes.js'
import { isWritableOn } from '../../validation/writable-attributes.js'
import { nothingStored } from '../../validation/validation.js'

/** The fields of join rows that a client may write here and now. */
export function writablePivot(
  { pivot }: RelationSpec,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly CompiledAttribute[] {
  return Object.entries(pivot)
    .map(([name, spec]) => compileAttribute(name, spec))
    .filter(({ spec }) => isWritableOn(spec, mode, context))
}

/** Reads what is stored of the fields of join rows, as a client would read them; of a new one nothing. */
export function pivotReading(
  { pivot }: RelationSpec,
  context: RequestContext,
): (join: RowObject | null) => (name: string) => unknown {
  const fields = new Map(Object.entries(pivot).map(([name, spec]) => [name, compileAttribute(name, spec)]))
  return (join) => (join === null ? nothingStored : storedFields(fields, join, context))
}
