import type { LoadedRelationship, ResourceNode } from '../operation/response-value.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RequestContext } from '../resource/request-context.js'
import type { Row } from '../rows/row-set.js'
import { rowObject } from '../rows/row-set.js'
import { recent } from '../util/recent.js'
import type { ValueWriter } from './value-writer.js'

/** Appends a resource object to a text. */
export type ResourceWriter = (text: string, node: ResourceNode, context: RequestContext) => string

/** Appends a relationship object to a text. */
export type RelationshipWriter = (text: string, row: Row, loaded: LoadedRelationship | undefined, id: string) => string

/** A part of the text of a resource object: always the same, or what is written of the row in its place. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'id' }
  | { readonly kind: 'value'; readonly position: number; readonly write: ValueWriter }
  | { readonly kind: 'row'; readonly write: RowPart }
  /** What is shown of a relationship that was not read, and how it is written where it was. */
  | {
      readonly kind: 'relationship'
      readonly name: string
      readonly unread: readonly Piece[]
      readonly write: RelationshipWriter
    }

type RowPart = (row: Row, object: RowObject | null, context: RequestContext) => string

export interface Template {
  readonly pieces: readonly Piece[]
  /** The wire id, by the position of the key. */
  readonly idPosition: number
  readonly encode: (key: unknown) => string
  /** The columns, where parts look at the row as an object; else `null`. */
  readonly columns: readonly string[] | null
  /** Writes what the template has no room for: meta of the way to the resource, and ids that have to be escaped. */
  readonly otherwise: ResourceWriter
}

/** Ids that stand as they are in JSON and in addresses. */
const plainId = /^[\w-]+$/

/**
 * Writes resources by a template, as one expression that is compiled for it: to walk through the pieces for every row costs about as
 * much again as what they say. The code is made of positions and of the names of what it is given, and of nothing that
 * a declaration or a client says. `null` where this process may make no code.
 */
export function compiledTemplate(template: Template): ResourceWriter | null {
  const given: unknown[] = []
  const bind = (value: unknown): string => `a${given.push(value) - 1}`
  const [encode, plain, otherwise] = [bind(template.encode), bind(plainId), bind(template.otherwise)]
  const objectOf = template.columns === null ? 'null' : `${bind(rowObject)}(${bind(template.columns)}, row)`
  const relationships = template.pieces.filter((piece) => piece.kind === 'relationship')
  const read = relationships.map(({ name }, index) => `const r${index} = loaded.get(${bind(name)})`)
  const unread = expressionOf(template.pieces, bind, false)
  const source = `'use strict'
return (text, node, context) => {
  const { row, relationships: loaded, meta } = node
  const id = ${encode}(row[${template.idPosition}])
  if (meta !== null || !${plain}.test(id)) return ${otherwise}(text, node, context)
  const object = ${objectOf}
  if (loaded === null) return text + ${unread}
  ${read.join('\n  ')}
  return text + ${expressionOf(template.pieces, bind, true)}
}`
  return factoryOf(source, given.length)?.(...given) ?? null
}

type Bind = (value: unknown) => string

/** @param mayBeRead whether relationships have to be asked for: `r0` is the first of them */
function expressionOf(pieces: readonly Piece[], bind: Bind, mayBeRead: boolean): string {
  let relationship = 0
  const written = pieces.map((piece): string => {
    switch (piece.kind) {
      case 'text':
        return bind(piece.text)
      case 'id':
        return 'id'
      case 'value':
        return `${bind(piece.write)}(row[${piece.position}])`
      case 'row':
        return `${bind(piece.write)}(row, object, context)`
      case 'relationship': {
        const unread = expressionOf(piece.unread, bind, mayBeRead)
        if (!mayBeRead) return unread
        const read = `r${relationship++}`
        return `(${read} === undefined ? ${unread} : ${bind(piece.write)}('', row, ${read}, id))`
      }
    }
  })
  return written.join(' + ')
}

type Factory = (...given: readonly unknown[]) => ResourceWriter

/** Templates of the same form have the same code. */
const factories = recent<string, Factory>(200)

function factoryOf(source: string, count: number): Factory | null {
  const known = factories.get(source)
  if (known !== undefined) return known
  try {
    const names = Array.from({ length: count }, (_, index) => `a${index}`)
    // oxlint-disable-next-line typescript/no-implied-eval -- names and positions are all that is in it
    const factory = new Function(...names, source) as Factory
    factories.set(source, factory)
    return factory
  } catch {
    return null
  }
}
