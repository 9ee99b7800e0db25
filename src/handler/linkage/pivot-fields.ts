import { compileAttribute } from '../../resource/compile/compile-attribute.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { absent, attributeReader } from '../../resource/reading/attribute-reader.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isWritableOn } from '../steps/writable-attributes.js'

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

/** The value of a field of a join row as it will be: sent, else as it is stored. */
export function resultingPivot(
  { pivot }: RelationSpec,
  sent: Readonly<Record<string, unknown>>,
  join: RowObject | null,
  context: RequestContext,
): (name: string) => unknown {
  return (name) => {
    if (Object.hasOwn(sent, name)) return sent[name]
    const spec = Object.hasOwn(pivot, name) ? pivot[name] : undefined
    if (join === null || spec === undefined) return undefined
    const columns = Object.keys(join)
    const value = attributeReader(compileAttribute(name, spec), columns)(Object.values(join), join, context)
    return value === absent ? undefined : value
  }
}
