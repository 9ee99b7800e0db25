import type { CompiledType } from '../compiled/compiled-type.js'
import type { AttributeSpec } from '../fields/attribute-declaration.js'
import type { StoredTexts } from './row-condition.js'

/** Returns the attributes that are stored in a column, each after the composite attributes that contain it. */
export function attributesOn(
  column: string,
  { attributes }: Pick<CompiledType, 'attributes'>,
): readonly (readonly AttributeSpec[])[] {
  return attributes.flatMap(({ spec, column: attributeColumn }) =>
    attributeColumn === column ? [[spec]] : childrenOn(column, spec),
  )
}

/** Returns the children of a map that are stored in a column. They are columns of the owner of the map. */
function childrenOn(column: string, spec: AttributeSpec): readonly (readonly AttributeSpec[])[] {
  if (spec.kind.children !== 'columns') return []
  return Object.entries(spec.children).flatMap(([name, child]) => {
    if (child.kind.children === 'columns') return childrenOn(column, child).map((fields) => [spec, ...fields])
    return (child.storedAs ?? name) === column && !child.computed ? [[spec, child]] : []
  })
}

/** Returns what texts in a column mean, if all its attributes agree. */
export function storedTexts(column: string, type: Pick<CompiledType, 'attributes'>): StoredTexts {
  const meanings = attributesOn(column, type).flatMap((fields) => fields.at(-1)?.kind.comparedAs ?? [])
  const [first = 'text', ...others] = new Set(meanings)
  return others.length > 0 || first === 'json' ? 'text' : first
}
