import { compileAttribute } from '../../../declare/resource/compiled/compile-attribute.js'
import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import { hiddenness } from '../../../declare/resource/fields/visible-field.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { storedFields } from './stored-attributes.js'
import { isWritableOn } from '../../validation/writable-attributes.js'
import { nothingStored } from '../../validation/validation.js'

/**
 * Returns the fields of join rows that the client may write in this request. A field that is hidden in some rows only cannot be
 * changed in an existing row.
 */
export function writablePivot(
  { pivot }: RelationSpec,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly CompiledAttribute[] {
  return Object.entries(pivot)
    .map(([name, spec]) => compileAttribute(name, spec))
    .filter(({ spec }) => isWritableOn(spec, mode, context))
    .filter(({ spec }) => mode === 'create' || hiddenness(spec, context) === 'visible')
}

/**
 * Returns a function that reads the stored fields of a join row as a client reads them. A new join row (`null`) has
 * none.
 */
export function storedPivotReader(
  { pivot }: RelationSpec,
  context: RequestContext,
): (join: RowObject | null) => (name: string) => unknown {
  const fields = new Map(Object.entries(pivot).map(([name, spec]) => [name, compileAttribute(name, spec)]))
  return (join) => (join === null ? nothingStored : storedFields(fields, join, context))
}
