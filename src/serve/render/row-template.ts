import type { LoadedRelationship, ResourceNode } from '../operation/response-value.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { Row } from '../../core/rows/row-set.js'
import { rowObject } from '../../core/rows/row-set.js'
import { lruCache } from '../../core/util/lru-cache.js'

/** Appends a resource object to a text. */
export type ResourceWriter = (text: string, node: ResourceNode, context: RequestContext) => string

/** Appends a relationship object to a text. */
export type RelationshipWriter = (text: string, row: Row, loaded: LoadedRelationship | undefined, id: string) => string

/** Returns the JSON text of a stored value. */
export type ValueWriter = (stored: unknown) => string

/** A part of the text of a resource object: constant text, or a value that is written for each row. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'id' }
  | { readonly kind: 'value'; readonly position: number; readonly write: ValueWriter }
  | { readonly kind: 'row'; readonly write: RowPart }
  /** A relationship: `unread` are its pieces if it was not loaded, `write` writes it if it was. */
  | {
      readonly kind: 'relationship'
      readonly name: string
      readonly unread: readonly TemplatePiece[]
      readonly write: RelationshipWriter
    }

type RowPart = (row: Row, object: RowObject | null, context: RequestContext) => string

export interface RowTemplate {
  readonly pieces: readonly TemplatePiece[]
  /** The position of the key in the row; `null` for a composite key, which is at several positions. */
  readonly idPosition: number | null
  /** Encodes the key as the id of the resource. Gets the row if the key is composite. */
  readonly encode: (key: unknown) => string
  /** The columns, if pieces need the row as an object; otherwise `null`. */
  readonly columns: readonly string[] | null
  /**
   * Writes resources that the template cannot write: resources with meta, and resources whose id must be escaped.
   */
  readonly fallback: ResourceWriter
}

/** Matches ids that need no escaping in JSON and in URLs. */
const plainId = /^[\w-]+$/

/**
 * Compiles a template into a function with one expression. A loop over the pieces for every row would cost about as
 * much again as writing the values. The generated code contains only positions and generated parameter names, and no
 * text of a declaration or a client. Returns `null` if the process does not allow code generation.
 */
export function compiledTemplate(template: RowTemplate): ResourceWriter | null {
  const values: unknown[] = []
  const bind = (value: unknown): string => `a${values.push(value) - 1}`
  const [encode, plain, fallback] = [bind(template.encode), bind(plainId), bind(template.fallback)]
  const objectOf = template.columns === null ? 'null' : `${bind(rowObject)}(${bind(template.columns)}, row)`
  const relationships = template.pieces.filter((piece) => piece.kind === 'relationship')
  const lookups = relationships.map(({ name }, index) => `const r${index} = loaded.get(${bind(name)})`)
  const withoutLoaded = expressionOf(template.pieces, bind, false)
  const source = `'use strict'
return (text, node, context) => {
  const { row, relationships: loaded, meta } = node
  const id = ${encode}(${template.idPosition === null ? 'row' : `row[${template.idPosition}]`})
  if (meta !== null || !${plain}.test(id)) return ${fallback}(text, node, context)
  const object = ${objectOf}
  if (loaded === null) return text + ${withoutLoaded}
  ${lookups.join('\n  ')}
  return text + ${expressionOf(template.pieces, bind, true)}
}`
  return factoryOf(source, values.length)?.(...values) ?? null
}

/** Makes a value available to the generated code. Returns the name of its parameter. */
type Bind = (value: unknown) => string

/** @param mayBeLoaded whether relationships may be loaded; the variable `r0` then holds the first of them */
function expressionOf(pieces: readonly TemplatePiece[], bind: Bind, mayBeLoaded: boolean): string {
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
        const notLoaded = expressionOf(piece.unread, bind, mayBeLoaded)
        if (!mayBeLoaded) return notLoaded
        const loaded = `r${relationship++}`
        return `(${loaded} === undefined ? ${notLoaded} : ${bind(piece.write)}('', row, ${loaded}, id))`
      }
    }
  })
  return written.join(' + ')
}

type Factory = (...values: readonly unknown[]) => ResourceWriter

/**
 * A cache by source text: templates with the same structure have the same source text. With it, a writer is compiled in
 * 11 µs instead of 27 µs.
 */
const factories = lruCache<string, Factory>(200)

function factoryOf(source: string, count: number): Factory | null {
  const cached = factories.get(source)
  if (cached !== undefined) return cached
  try {
    const names = Array.from({ length: count }, (_, index) => `a${index}`)
    // oxlint-disable-next-line typescript/no-implied-eval -- the source contains only generated names and positions
    const factory = new Function(...names, source) as Factory
    factories.set(source, factory)
    return factory
  } catch {
    return null
  }
}
