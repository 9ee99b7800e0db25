import type { ResourceNode, ResourceRows } from '../operation/response-value.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { SerializedResource, Serializer } from '../resource/capabilities/serializer.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { needsRowObject } from '../resource/reading/attribute-reader.js'
import type { Selection } from '../resource/reading/selection.js'
import { selected } from '../resource/reading/selection.js'
import type { RequestContext } from '../resource/request-context.js'
import { rowObject } from '../rows/row-set.js'
import { actionLinks, linksLookAtRow } from './action-links.js'
import { attributesWriter, serializedAttributesWriter } from './attributes-writer.js'
import { json } from './json.js'
import { hasRowPredicate, relationshipsWriter } from './relationships-writer.js'
import type { ResourceWriter } from './row-template.js'
import { usualWriter } from './usual-writer.js'

interface Surroundings {
  /** The wanted members, `undefined` for the usual ones. */
  readonly fieldset: ReadonlySet<string> | undefined
  /** What stands before `/{uriType}`. */
  readonly base: string
}

/**
 * Compiled for a type, a selection of its members and the columns of the rows: names are escaped, positions and addresses
 * looked up once, so that a row costs its values and nothing else. Primary and included resources share it.
 *
 * Every part goes straight to the end of the document. Parts that are put together first would be walked through once
 * more when the document is sent.
 */
export function resourceWriter(rows: ResourceRows, surroundings: Surroundings): ResourceWriter {
  const { served, columns } = rows
  const { type } = served
  const selection = selected(served, surroundings.fieldset)
  const writeRest = restWriter(rows, selection, surroundings)
  const open = `{"type":${json(type.type)},"id":`
  const otherwise =
    served.serializer === null
      ? declaredWriter(served, columns, { open, selection, writeRest })
      : serializedWriter(type, served.serializer, { columns, open, selection, writeRest })
  return usualWriter(rows, selection, { prefix: prefixOf(type, surroundings.base), otherwise }) ?? otherwise
}

/** The address of a resource: `{base}/{uriType}/{id}`. */
export function resourceUrl({ uriType }: Pick<CompiledType, 'uriType'>, id: string, base: string): string {
  return `${base}/${encodeURIComponent(uriType)}/${encodedId(id)}`
}

/** Half a surrogate pair has no encoding, and a stored key may hold one. Numbers and UUIDs stand as they are. */
function encodedId(id: string): string {
  return /^[\w-]*$/.test(id) ? id : encodeURIComponent(id.toWellFormed())
}

interface Parts {
  readonly open: string
  readonly selection: Selection
  readonly writeRest: RestWriter
}

/** What stands before the id in the address of a resource, as the inside of a JSON text: an encoded id has nothing to escape. */
function prefixOf(type: CompiledType, base: string): string {
  return json(resourceUrl(type, '', base)).slice(1, -1)
}

function declaredWriter(served: ServedType, columns: readonly string[], parts: Parts): ResourceWriter {
  const { type } = served
  const { open, selection, writeRest } = parts
  const idPosition = columns.indexOf(type.id.column)
  const writeAttributes = attributesWriter(selection, columns)
  const wantsObject =
    type.meta !== null ||
    type.links !== null ||
    linksLookAtRow(type) ||
    selection.attributes.some(needsRowObject) ||
    selection.relations.some(hasRowPredicate)
  return (text, node, context) => {
    const { row } = node
    const object = wantsObject ? rowObject(columns, row) : null
    const id = type.id.encode(row[idPosition])
    const written = writeAttributes(text + open + json(id), row, object, context)
    const [links, meta] = [type.links?.(object ?? {}, context), type.meta?.(object ?? {}, context)]
    return writeRest(written, node, { id, object, context, links, meta })
  }
}

/** For a type whose wire shape a serializer says. */
function serializedWriter(
  type: CompiledType,
  serializer: Serializer,
  { columns, open, selection, writeRest }: Parts & { readonly columns: readonly string[] },
): ResourceWriter {
  const writeAttributes = serializedAttributesWriter(type, selection)
  return (text, node, context) => {
    const object = rowObject(columns, node.row)
    const { id, attributes = {}, links, meta } = serializer.serialize(object, context)
    const written = writeAttributes(text + open + json(id), attributes, object, context)
    return writeRest(written, node, { id, object, context, links, meta })
  }
}

/** Id, links and meta as the type or its serializer says them, and to whom. */
type Said = Pick<SerializedResource, 'id'> & {
  readonly [Member in 'links' | 'meta']?: Readonly<Record<string, unknown>> | undefined
} & {
  readonly object: RowObject | null
  readonly context: RequestContext
}

type RestWriter = (text: string, node: ResourceNode, said: Said) => string

/** What follows the attributes. */
function restWriter({ served, columns }: ResourceRows, selection: Selection, { base }: Surroundings): RestWriter {
  const { type } = served
  const prefix = prefixOf(type, base)
  const openLinks = `,"links":{"self":"${prefix}`
  const writeRelationships = relationshipsWriter(selection.relations, { columns, prefix })
  const linkActions = actionLinks(type)
  return (text, node, said) => {
    const { id, object, context } = said
    const encoded = encodedId(id)
    const all = writeRelationships(text, node, encoded, object, context)
    // An author's own links win; without an id there is nothing to point at.
    const pointsAtItself = type.selfLink && id !== ''
    const acting = linkActions === null || id === '' ? null : linkActions(resourceUrl(type, id, base), object, context)
    const links = acting === null ? said.links : { ...acting, ...said.links }
    const linked = isEmpty(links)
      ? pointsAtItself
        ? `${all + openLinks + encoded}"}`
        : all
      : `${all},"links":${json(pointsAtItself ? { self: resourceUrl(type, id, base), ...links } : links)}`
    // What the way to the resource adds wins over what the type says.
    const meta = node.meta === null ? said.meta : { ...said.meta, ...node.meta }
    return isEmpty(meta) ? `${linked}}` : `${linked},"meta":${json(meta)}}`
  }
}

function isEmpty(members: object | undefined): boolean {
  return members === undefined || Object.keys(members).length === 0
}
