import type { DeclarationFault } from '../declaration-fault.js'
import type { Constraint } from './constraint.js'
import { patternFault, sourceOf, ulidPattern, uuidPattern, uuidVersionFault, wholePattern } from './patterns.js'
import { rule } from './rule.js'

/** Wire id to stored key and back. */
export interface IdCodec<Key = unknown> {
  encode(key: Key): string
  /** `null` when no key has this wire id. */
  decode(wireId: string): Key | null
}

/** Where the id comes from when the client sends none. */
export type IdFallback =
  | { readonly kind: 'store' }
  | { readonly kind: 'uuid' | 'ulid' }
  | { readonly kind: 'function'; readonly generate: () => unknown }

export interface IdSpec {
  readonly role: 'id'
  /** The backing member; `null` for the model's key. */
  readonly column: string | null
  readonly clientIds: 'forbidden' | 'optional' | 'required'
  readonly fallback: IdFallback
  /** Whether the format can mint ids of its own. */
  readonly format: 'uuid' | 'ulid' | 'numeric' | 'pattern' | null
  readonly constraints: readonly Constraint[]
  /** What the `{id}` of a route must match as a whole; `null` for anything. */
  readonly routePattern: string | null
  /** Said by `matchAs`, so that a format does not replace it. */
  readonly routePatternFixed: boolean
  readonly codec: IdCodec | null
  readonly sortable: boolean
  readonly description: string | null
  readonly faults: readonly DeclarationFault[]
}

/**
 * The id of a resource. Ids are given by the store and refused from clients unless the declaration says otherwise.
 *
 * @example
 * ```ts
 * const playlistId = id().uuid().generated()
 * const genreId = id().pattern(/[a-z-]+/).requireClientId()
 * ```
 */
export function id(column?: string): IdDeclaration {
  return new IdDeclaration({
    role: 'id',
    column: column ?? null,
    clientIds: 'forbidden',
    fallback: Object.freeze({ kind: 'store' }),
    format: null,
    constraints: Object.freeze([]),
    routePattern: null,
    routePatternFixed: false,
    codec: null,
    sortable: false,
    description: null,
    faults: Object.freeze([]),
  })
}

/** Every modifier answers a new declaration. */
export class IdDeclaration {
  readonly spec: IdSpec

  constructor(spec: IdSpec) {
    this.spec = Object.freeze(spec)
    Object.freeze(this)
  }

  /** A client may send an id; it is used when it has the right format. */
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
    const source = wholePattern(sourceOf(expression))
    return this.formatted('pattern', rule.pattern(source), source)
  }

  /** The `{id}` of a route must match as a whole; what does not is a path without a route. */
  matchAs(expression: RegExp | string): IdDeclaration {
    const fault = patternFault(expression, 'matchAs()')
    if (fault !== null) return this.fault(fault.problem, fault.remedy)
    return this.with({ routePattern: wholePattern(sourceOf(expression)), routePatternFixed: true })
  }

  /** The service mints a UUID (of version 4) or a ULID, as the format before it says. */
  generated(): IdDeclaration {
    const { format } = this.spec
    if (format === 'uuid' || format === 'ulid') return this.with({ fallback: Object.freeze({ kind: format }) })
    return this.fault(
      format === null ? 'generated() has no format to mint ids in' : `generated() cannot mint ids by ${format}()`,
      'declare uuid() or ulid() before generated(), or mint them yourself with generateUsing()',
    )
  }

  /** The function returns the stored key, at once or later, which is set as it is. */
  generateUsing(generate: () => unknown): IdDeclaration {
    return this.with({ fallback: Object.freeze({ kind: 'function', generate }) })
  }

  /** The wire id is made from the stored key. */
  encodeUsing<Key>(codec: IdCodec<Key>): IdDeclaration {
    return this.with({ codec: codec })
  }

  sortable(): IdDeclaration {
    return this.with({ sortable: true })
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
