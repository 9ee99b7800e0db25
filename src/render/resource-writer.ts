import type { Serializer } from '../resource/capabilities/serializer.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { absent, attributeReader, isHiddenFrom, needsRowObject } from '../resource/reading/attribute-reader.js'
import type { Selection } from '../resource/reading/selection.js'
import type { RequestContext } from '../resource/request-context.js'
import type { Row } from '../rows/row-set.js'
import { rowObject } from '../rows/row-set.js'
import { json } from './json.js'

/** Writes the resource object of a row as text. */
export type ResourceWriter = (row: Row, context: RequestContext, base: string) => string

/**
 * Compiled for a type, a selection of its members and the columns of the rows: names are escaped and positions looked up
 * once, so that a row costs its values and nothing else. Primary and included resources share it.
 */
export function resourceWriter(type: CompiledType, selection: Selection, columns: readonly string[]): ResourceWriter {
  const open = `{"type":${json(type.type)},"id":`
  const idPosition = columns.indexOf(type.id.column)
  const writeAttributes = attributesWriter(selection, columns)
  const wantsObject =
    type.meta !== null || type.links !== null || selection.attributes.some((attribute) => needsRowObject(attribute))
  return (row, context, base) => {
    const object = wantsObject ? rowObject(columns, row) : null
    const id = type.id.encode(row[idPosition])
    const attributes = writeAttributes(row, object, context)
    const extras = { links: type.links?.(object ?? {}, context), meta: type.meta?.(object ?? {}, context) }
    return `${open}${json(id)}${attributes}${tail(type, id, base, extras)}}`
  }
}

/** For a type whose wire shape a serializer says; a fieldset still decides what of it is shown. */
export function serializerWriter(
  type: CompiledType,
  serializer: Serializer,
  selection: Selection,
  columns: readonly string[],
): ResourceWriter {
  return (row, context, base) => {
    const object = rowObject(columns, row)
    const { id, attributes = {}, links, meta } = serializer.serialize(object, context)
    const shown = selection.serialized.filter((member) => {
      const declared = type.attributeNamed.get(member)
      return Object.hasOwn(attributes, member) && !(declared && isHiddenFrom(declared.spec, object, context))
    })
    const text = shown.map((member) => `${json(member)}:${json(attributes[member])}`).join(',')
    const written = text === '' ? '' : `,"attributes":{${text}}`
    return `{"type":${json(type.type)},"id":${json(id)}${written}${tail(type, id, base, { links, meta })}}`
  }
}

/** The address of a resource: `{base}/{uriType}/{id}`. */
export function resourceUrl(type: CompiledType, id: string, base: string): string {
  // Half a surrogate pair has no encoding, and a stored key may hold one.
  return `${base}/${encodeURIComponent(type.uriType)}/${encodeURIComponent(id.toWellFormed())}`
}

type WriteAttributes = (row: Row, object: RowObject | null, context: RequestContext) => string

function attributesWriter(selection: Selection, columns: readonly string[]): WriteAttributes {
  const members = selection.attributes.map((attribute) => ({
    key: `${json(attribute.name)}:`,
    read: attributeReader(attribute, columns),
  }))
  return (row, object, context) => {
    let text = ''
    for (const { key, read } of members) {
      const value = read(row, object, context)
      if (value !== absent) text += `${text === '' ? '' : ','}${key}${json(value)}`
    }
    return text === '' ? '' : `,"attributes":{${text}}`
  }
}

interface ResourceExtras {
  readonly links: Readonly<Record<string, unknown>> | undefined
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** Links and meta. An author's own `self` wins; without an id there is nothing to point at. */
function tail(type: CompiledType, id: string, base: string, { links, meta }: ResourceExtras): string {
  const own = links !== undefined && Object.keys(links).length > 0 ? links : null
  let text = ''
  if (type.selfLink && id !== '') {
    const self = resourceUrl(type, id, base)
    text += `,"links":${json(own === null ? { self } : { self, ...own })}`
  } else if (own !== null) text += `,"links":${json(own)}`
  if (meta !== undefined && Object.keys(meta).length > 0) text += `,"meta":${json(meta)}`
  return text
}
