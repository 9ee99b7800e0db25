import type { ResourceRows } from '../operation/response-value.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { FieldSpec } from '../resource/fields/field-spec.js'
import { attributeReader, isPlainlyRead, needsRowObject } from '../resource/reading/attribute-reader.js'
import type { Selection } from '../resource/reading/selection.js'
import { actionLinks } from './action-links.js'
import { json } from './json.js'
import { relationshipPieces } from './relationships-writer.js'
import type { Piece, ResourceWriter } from './row-template.js'
import { compiledTemplate } from './row-template.js'
import { valueWriter } from './value-writer.js'

interface UsualParts {
  /** What stands before the id in the address of a resource, as the inside of a JSON text. */
  readonly prefix: string
  /** Writes any resource of the type. */
  readonly otherwise: ResourceWriter
}

/**
 * For a type that shows the same members of every row: no predicate hides one of them, and links and meta are not up to the author.
 * `null` for any other.
 */
export function usualWriter(
  { served, columns }: ResourceRows,
  { attributes, relations }: Selection,
  { prefix, otherwise }: UsualParts,
): ResourceWriter | null {
  const { type, serializer } = served
  const isPlain = type.links === null && type.meta === null && type.selfLink && actionLinks(type) === null
  if (serializer !== null || !isPlain || attributes.some(mayBeHidden)) return null
  const related = relations.map(({ relation, onlyWhenLoaded }) =>
    onlyWhenLoaded || mayBeHidden(relation) ? null : relationshipPieces(relation, { columns, prefix }),
  )
  if (related.includes(null)) return null
  return compiledTemplate({
    idPosition: columns.indexOf(type.id.column),
    encode: (key) => type.id.encode(key),
    columns: attributes.some(needsRowObject) ? columns : null,
    otherwise,
    pieces: [
      text(`{"type":${json(type.type)},"id":"`),
      { kind: 'id' },
      text('"'),
      ...members(
        'attributes',
        attributes.map((attribute) => [attribute.name, [attributePiece(attribute, columns)]]),
      ),
      ...members(
        'relationships',
        relations.map(({ relation }, index) => [relation.name, related[index] ?? []]),
      ),
      text(`,"links":{"self":"${prefix}`),
      { kind: 'id' },
      text('"}}'),
    ],
  })
}

function text(written: string): Piece {
  return { kind: 'text', text: written }
}

/** An object of members, with its own name and the comma before it; nothing where there is none. */
function members(name: string, each: readonly (readonly [name: string, pieces: readonly Piece[]])[]): readonly Piece[] {
  if (each.length === 0) return []
  const written = each.flatMap(([member, pieces], index) => [
    text(`${index === 0 ? `,"${name}":{` : ','}${json(member)}:`),
    ...pieces,
  ])
  return [...written, text('}')]
}

function attributePiece(attribute: CompiledAttribute, columns: readonly string[]): Piece {
  const { spec, valueColumn } = attribute
  if (isPlainlyRead(attribute)) {
    return {
      kind: 'value',
      position: valueColumn === null ? -1 : columns.indexOf(valueColumn),
      write: valueWriter(spec),
    }
  }
  const read = attributeReader(attribute, columns)
  return { kind: 'row', write: (row, object, context) => json(read(row, object, context)) }
}

function mayBeHidden({ spec: { hidden, writeOnly } }: { readonly spec: FieldSpec }): boolean {
  return typeof hidden === 'function' || typeof writeOnly === 'function'
}
