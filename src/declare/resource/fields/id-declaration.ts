import type { DeclarationFault } from '../parts/declaration-fault.js'
import type { Constraint } from './constraint.js'
import { patternFault, patternSource, ulidPattern, uuidPattern, uuidVersionFault, anchoredPattern } from './patterns.js'
import { keyColumn } from '../parts/key-columns.js'
import { rule } from './rule.js'

/**
 * Converts stored keys to wire ids and back.
 *
 * @example
 * ```ts
 * const base36: IdCodec<number> = {
 *   encode: (key) => key.toString(36),
 *   decode: (wireId) => (/^[1-9a-z][0-9a-z]*$/.test(wireId) ? Number.parseInt(wireId, 36) : null),
 * }
 * const trackId = id().encodeUsing(base36)
 * ```
 */
export interface IdCodec<Key = unknown> {
  encode(key: Key): string
  /** Returns `null` if no key has this wire id. */
  decode(wireId: string): Key | null
}

/** The source of the id if the client sends none. */
export type IdFallback =
  | { readonly kind: 'store' }
  | { readonly kind: 'uuid' | 'ulid' }
  | { readonly kind: 'function'; readonly generate: () => unknown }

export interface IdSpec {
  readonly role: 'id'
  /** The backing column, or the name of a composite key (`keyColumn`); `null` for the key of the model. */
  readonly column: string | null
  readonly clientIds: 'forbidden' | 'optional' | 'required'
  readonly fallback: IdFallback
  /** The declared format; the server can generate ids of the formats `uuid` and `ulid`. */
  readonly format: 'uuid' | 'ulid' | 'numeric' | 'pattern' | null
  readonly constraints: readonly Constraint[]
  /** The pattern that the whole `{id}` segment of a route must match; `null` if every segment is accepted. */
  readonly routePattern: string | null
  /** Whether `matchAs` set the route pattern, so that a format does not replace it. */
  readonly routePatternFixed: boolean
  readonly codec: IdCodec | null
  readonly sortable: boolean
  /** Whether `filter[id]` and `sort=id` are offered without being declared. */
  readonly queryable: boolean
  readonly description: string | null
  readonly faults: readonly DeclarationFault[]
}

/** The key of the columns of an id for the compiler. The property does not exist at run time. */
export declare const idColumns: unique symbol

/**
 * The modifiers of an id that clients depend on, see {@link id}. `unqueried` is an id that collections offer no filter and no sort for.
 */
export type IdFlag = 'optional' | 'required' | 'sortable' | 'unqueried'

/** The key of the type-level state of an id. It exists for the compiler only, not at run time. */
export declare const idState: unique symbol

/**
 * The declaration of an id, as {@link id} returns it: the modifiers that clients depend on, and the columns, which the compiler
 * compares with the row. Every modifier returns a new declaration.
 */
export interface Id<F extends IdFlag, Column extends string> extends IdDeclaration {
  readonly [idState]: F
  readonly [idColumns]?: Column

  allowClientId(): Id<Exclude<F, 'required'> | 'optional', Column>
  requireClientId(): Id<Exclude<F, 'optional'> | 'required', Column>
  uuid(version?: number): this
  ulid(): this
  numeric(): this
  pattern(expression: RegExp | string): this
  matchAs(expression: RegExp | string): this
  generated(): this
  generateUsing(generate: () => unknown): this
  encodeUsing<Key>(codec: IdCodec<Key>): this
  sortable(): Id<F | 'sortable', Column>
  withoutQueries(): Id<F | 'unqueried', Column>
  describedAs(description: string): this
}

/**
 * Declares the id of a resource. By default the store generates ids, and ids that clients send are refused. An id over
 * several columns is a composite key: its wire id is made of the values of the columns, as in `10248-11`.
 *
 * @example
 * ```ts
 * const playlistId = id().uuid().generated()
 * const genreId = id().pattern(/[a-z-]+/).requireClientId()
 * const orderLineId = id(['orderId', 'productId'])
 * ```
 */
export function id<const Columns extends readonly [string, string, ...string[]]>(
  columns: Columns,
): Id<never, Columns[number]>
export function id<const Column extends string>(
  column: Column,
): string extends Column ? Id<never, never> : Id<never, Column>
export function id(): Id<never, never>
export function id(column?: string | readonly string[]): IdDeclaration {
  return new IdDeclaration({
    role: 'id',
    column: column === undefined ? null : Array.isArray(column) ? keyColumn(column) : (column as string),
    clientIds: 'forbidden',
    fallback: Object.freeze({ kind: 'store' }),
    format: null,
    constraints: Object.freeze([]),
    routePattern: null,
    routePatternFixed: false,
    codec: null,
    sortable: false,
    queryable: true,
    description: null,
    faults: Object.freeze(Array.isArray(column) ? columnFaults(column) : []),
  })
}

function columnFaults(columns: readonly unknown[]): readonly DeclarationFault[] {
  const areNames = columns.every((column) => typeof column === 'string' && column !== '')
  if (areNames && columns.length > 1 && new Set(columns).size === columns.length) return []
  return [
    Object.freeze({
      problem: 'id([…]) needs at least two different columns',
      remedy: "name the columns of the key: id(['orderId', 'productId'])",
    }),
  ]
}

/** Any declaration of an id. {@link id} describes it to the compiler as an {@link Id}. */
export class IdDeclaration {
  readonly spec: IdSpec

  constructor(spec: IdSpec) {
    this.spec = Object.freeze(spec)
    Object.freeze(this)
  }

  /** A client may send an id, which is used if it has the declared format. */
  allowClientId(): IdDeclaration {
    return this.with({ clientIds: 'optional' })
  }

  /** A client must send an id. */
  requireClientId(): IdDeclaration {
    return this.with({ clientIds: 'required' })
  }

  uuid(version?: number): IdDeclaration {
    const fault = uuidVersionFault(version)
    if (fault !== null) return this.fault(fault.problem, fault.remedy)
    return this.formatted('uuid', rule.uuid(version), uuidPattern)
  }

  ulid(): IdDeclaration {
    return this.formatted('ulid', rule.ulid(), ulidPattern)
  }

  numeric(): IdDeclaration {
    return this.formatted('numeric', rule.pattern('^[0-9]+$'), '^[0-9]+$')
  }

  /** The whole id must match. */
  pattern(expression: RegExp | string): IdDeclaration {
    const fault = patternFault(expression, 'pattern()')
    if (fault !== null) return this.fault(fault.problem, fault.remedy)
    const source = anchoredPattern(patternSource(expression))
    return this.formatted('pattern', rule.pattern(source), source)
  }

  /**
   * Sets the pattern that the whole `{id}` segment of a route must match. A path whose segment does not match has no
   * route.
   */
  matchAs(expression: RegExp | string): IdDeclaration {
    const fault = patternFault(expression, 'matchAs()')
    if (fault !== null) return this.fault(fault.problem, fault.remedy)
    return this.with({ routePattern: anchoredPattern(patternSource(expression)), routePatternFixed: true })
  }

  /** The server generates a UUID (version 4) or a ULID, depending on the format that was declared before. */
  generated(): IdDeclaration {
    const { format } = this.spec
    if (format === 'uuid' || format === 'ulid') return this.with({ fallback: Object.freeze({ kind: format }) })
    return this.fault(
      format === null ? 'generated() needs a format' : `generated() cannot generate ids in the format ${format}()`,
      'declare uuid() or ulid() before generated(), or generate ids with generateUsing()',
    )
  }

  /** The function returns the stored key, or a promise of it. The key is stored without conversion. */
  generateUsing(generate: () => unknown): IdDeclaration {
    return this.with({ fallback: Object.freeze({ kind: 'function', generate }) })
  }

  /** The codec converts stored keys to wire ids and back. */
  encodeUsing<Key>(codec: IdCodec<Key>): IdDeclaration {
    return this.with({ codec: codec })
  }

  sortable(): IdDeclaration {
    return this.with({ sortable: true })
  }

  /** The collection offers neither `filter[id]` nor `sort=id`, unless they are declared. */
  withoutQueries(): IdDeclaration {
    return this.with({ queryable: false })
  }

  describedAs(description: string): IdDeclaration {
    return this.with({ description })
  }

  private formatted(format: IdSpec['format'], constraint: Constraint, source: string): IdDeclaration {
    return this.with({
      format,
      constraints: Object.freeze([constraint]),
      ...(this.spec.routePatternFixed ? {} : { routePattern: source }),
    })
  }

  private fault(problem: string, remedy: string): IdDeclaration {
    return this.with({ faults: Object.freeze([...this.spec.faults, Object.freeze({ problem, remedy })]) })
  }

  private with(patch: Partial<IdSpec>): IdDeclaration {
    return new IdDeclaration({ ...this.spec, ...patch })
  }
}
