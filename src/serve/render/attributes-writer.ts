import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { absent, attributeReader, isHiddenFrom } from '../../declare/resource/reading/attribute-reader.js'
import type { Selection } from '../../declare/resource/reading/selection.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { Row } from '../../core/rows/row-set.js'
import { json } from './json.js'
import { shownValue } from '../../declare/resource/reading/shown-value.js'

/**
 * Appends the member `attributes` of a row to a text, with a leading comma. Appends nothing if no attribute is shown.
 */
export type AttributesWriter = (text: string, row: Row, object: RowObject | null, context: RequestContext) => string

export function attributesWriter({ attributes }: Selection, columns: readonly string[]): AttributesWriter {
  const members = attributes.map((attribute) => {
    const key = `${json(attribute.name)}:`
    const [read, shown] = [attributeReader(attribute, columns), shownValue(attribute)]
    return { first: `,"attributes":{${key}`, further: `,${key}`, read, shown }
  })
  return (text, row, object, context) => {
    let result = text
    let hasMembers = false
    for (const { first, further, read, shown } of members) {
      const value = read(row, object, context)
      if (value === absent) continue
      result = result + (hasMembers ? further : first) + json(shown(value))
      hasMembers = true
    }
    return hasMembers ? `${result}}` : result
  }
}

/** Appends the attributes that a serializer returned. The fieldset and `hidden` still apply to them. */
export function serializedAttributesWriter(
  type: CompiledType,
  { serialized }: Selection,
): (text: string, attributes: Readonly<Record<string, unknown>>, object: RowObject, context: RequestContext) => string {
  return (text, attributes, object, context) => {
    const shown = serialized.filter((member) => {
      const declared = type.attributeNamed.get(member)
      return Object.hasOwn(attributes, member) && !(declared && isHiddenFrom(declared.spec, object, context))
    })
    if (shown.length === 0) return text
    return `${text},"attributes":{${shown.map((member) => `${json(member)}:${json(attributes[member])}`).join(',')}}`
  }
}
