import type { ResourceNode, ResourceRows } from '../operation/response-value.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { SerializedResource, Serializer } from '../../declare/resource/fields/serializer.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { keyReader } from '../../declare/resource/parts/key-columns.js'
import { needsRowObject } from '../../declare/resource/reading/attribute-reader.js'
import type { Selection } from '../../declare/resource/reading/selection.js'
import { selectionFor } from '../../declare/resource/reading/selection.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { versionReader } from '../../declare/resource/versions/version-token.js'
import { rowObject } from '../../core/rows/row-set.js'
import { actionLinks, linksDependOnRow } from './action-links.js'
import { attributesWriter, serializedAttributesWriter } from './attributes-writer.js'
import { encodedSegment, resourceUrl } from '../../core/http/encoded-uri.js'
import { json } from './json.js'
import { hasRowPredicate, relationshipsWriter } from './relationships-writer.js'
import type { ResourceWriter } from './row-template.js'
import { templateWriter } from './template-writer.js'

export interface ResourceWriterOptions {
  /** The requested members; `undefined` for the default members of the type. */
  readonly fieldset: ReadonlySet<string> | undefined
  /** The URL before `/{uriType}`. */
  readonly base: string
  /** The attributes that are left out, because a row holds values that they cannot show. */
  readonly without?: ReadonlySet<string>
}

/**
 * Compiles a writer for a type, a selection of its members and the columns of the rows. Names are escaped, and column
 * positions and URLs looked up, only once, so that a row costs only its values. Primary and included resources share
 * it.
 *
 * Every part is appended directly to the text of the document. Parts that are concatenated separately would be copied
 * once more when the document is sent.
 */
export function resourceWriter(rows: ResourceRows, options: ResourceWriterOptions): ResourceWriter {
  const { served, columns } = rows
  const { type } = served
  const selection = withoutAttributes(selectionFor(served, options.fieldset), options.without)
  const writeRest = restWriter(rows, selection, options)
  const open = `{"type":${json(type.type)},"id":`
  const fallback =
    served.serializer === null
      ? declaredWriter(served, columns, { open, selection, writeRest })
      : serializedWriter(type, served.serializer, { columns, open, selection, writeRest })
  return templateWriter(rows, selection, { prefix: prefixOf(type, options.base), fallback }) ?? fallback
}

function withoutAttributes(selection: Selection, names: ReadonlySet<string> | undefined): Selection {
  if (names === undefined) return selection
  return { ...selection, attributes: selection.attributes.filter(({ name }) => !names.has(name)) }
}

interface WriterParts {
  readonly open: string
  readonly selection: Selection
  readonly writeRest: RestWriter
}

/** Returns the URL of a resource up to its id, escaped for a JSON string. The encoded id needs no JSON escaping. */
function prefixOf(type: CompiledType, base: string): string {
  return json(resourceUrl(type, '', base)).slice(1, -1)
}

/** Creates the general writer of a type without a serializer. Its fast path is `templateWriter`. */
function declaredWriter(served: ServedType, columns: readonly string[], parts: WriterParts): ResourceWriter {
  const { type } = served
  const { open, selection, writeRest } = parts
  const keyOf = keyReader(columns, type.id.column)
  const writeAttributes = attributesWriter(selection, columns)
  const needsObject =
    type.meta !== null ||
    type.links !== null ||
    linksDependOnRow(type) ||
    selection.attributes.some(needsRowObject) ||
    selection.relations.some(hasRowPredicate)
  return (text, node, context) => {
    const { row } = node
    const object = needsObject ? rowObject(columns, row) : null
    const id = type.id.encode(keyOf(row))
    const written = writeAttributes(text + open + json(id), row, object, context)
    const [links, meta] = [type.links?.(object ?? {}, context), type.meta?.(object ?? {}, context)]
    return writeRest(written, node, { id, object, context, links, meta })
  }
}

/** Creates the writer of a type with a serializer. */
function serializedWriter(
  type: CompiledType,
  serializer: Serializer,
  { columns, open, selection, writeRest }: WriterParts & { readonly columns: readonly string[] },
): ResourceWriter {
  const writeAttributes = serializedAttributesWriter(type, selection)
  return (text, node, context) => {
    const object = rowObject(columns, node.row)
    const { id, attributes = {}, links, meta } = serializer.serialize(object, context)
    const written = writeAttributes(text + open + json(id), attributes, object, context)
    return writeRest(written, node, { id, object, context, links, meta })
  }
}

/** The id, links and meta that the type or its serializer returns for a row, with the row and the request context. */
type ResourceMembers = Pick<SerializedResource, 'id'> & {
  readonly [Member in 'links' | 'meta']?: Readonly<Record<string, unknown>> | undefined
} & {
  readonly object: RowObject | null
  readonly context: RequestContext
}

type RestWriter = (text: string, node: ResourceNode, members: ResourceMembers) => string

/** Creates the writer of the members after `attributes`: `relationships`, `links` and `meta`. */
function restWriter(
  { served, columns }: ResourceRows,
  selection: Selection,
  { base }: ResourceWriterOptions,
): RestWriter {
  const { type } = served
  const prefix = prefixOf(type, base)
  const openLinks = `,"links":{"self":"${prefix}`
  const writeRelationships = relationshipsWriter(selection.relations, { columns, prefix })
  const linkActions = actionLinks(type)
  const versionIn = type.version?.inMeta === true ? versionReader(type, columns) : null
  return (text, node, members) => {
    const { id, object, context } = members
    const encoded = encodedSegment(id)
    const withRelationships = writeRelationships(text, node, encoded, object, context)
    // User-defined links override the generated ones. A resource without an id has no URL, so it has no generated
    // links.
    const hasSelf = type.selfLink && id !== ''
    const actions = linkActions === null || id === '' ? null : linkActions(resourceUrl(type, id, base), object, context)
    const links = actions === null ? members.links : { ...actions, ...members.links }
    const withLinks = isEmpty(links)
      ? hasSelf
        ? `${withRelationships + openLinks + encoded}"}`
        : withRelationships
      : `${withRelationships},"links":${json(hasSelf ? { self: resourceUrl(type, id, base), ...links } : links)}`
    // The meta of the node, such as pivot values of the relation it was read by, overrides the meta of the type.
    const version = versionIn?.(node.row) ?? null
    const ofType = version === null ? members.meta : { ...members.meta, version }
    const meta = node.meta === null ? ofType : { ...ofType, ...node.meta }
    return isEmpty(meta) ? `${withLinks}}` : `${withLinks},"meta":${json(meta)}}`
  }
}

function isEmpty(members: object | undefined): boolean {
  return members === undefined || Object.keys(members).length === 0
}
