import type { ClassOf } from '../util/types.js'
import { type ErrorReply, isErrorStatus } from './checked-reply.js'
import { thrownMessage } from './describe-thrown.js'
import type { ErrorContext } from './error-context.js'
import { HttpError } from './http-error.js'
import { ignoreRejection } from './ignore-rejection.js'
import type { JsonApiError } from './json-api-error.js'

/** The result of an {@link ExceptionMapper}. `null` or `undefined` passes the thrown value on to the next mapper. */
export type MappedException = ErrorReply | JsonApiError | HttpError | null | undefined

/**
 * Turns exceptions of the application into error responses. A `JsonApiError` never reaches a mapper.
 *
 * @example
 * ```ts
 * class AlbumWithdrawn extends Error {}
 *
 * const withdrawn: ExceptionMapper = {
 *   map: (thrown) => (thrown instanceof AlbumWithdrawn ? new HttpError(409, thrown.message) : null),
 * }
 * ```
 */
export interface ExceptionMapper {
  /** Mappers with a higher priority run first, those with the same priority in the order of the list. Default: 0. */
  readonly priority?: number | undefined
  map(thrown: unknown, context: ErrorContext): MappedException
}

export interface ExceptionMapping {
  readonly error: ClassOf<object>
  readonly status: number
}

/**
 * Maps exception classes to the HTTP status of the response. The most derived class wins.
 *
 * @example
 * ```ts
 * class AlbumWithdrawn extends Error {}
 *
 * const exceptionMap = [[AlbumWithdrawn, 410]]
 * ```
 */
export type ExceptionMap =
  | readonly (ExceptionMapping | readonly [error: ClassOf<object>, status: number])[]
  | ReadonlyMap<ClassOf<object>, number>

/** The exception map runs after every mapper of usual priority, so that a mapper can handle special cases first. */
const mapPriority = -1000

/** A fault of the mappers or the exception map. */
export interface MappingFault {
  readonly member: 'mappers' | 'exceptionMap'
  readonly problem: string
  readonly remedy: string
}

/** Returns every fault of the mappers and the exception map. JavaScript callers may pass values of any type. */
export function mappingFaults(mappers: unknown, exceptionMap: unknown): readonly MappingFault[] {
  return [...mapFaults(exceptionMap), ...mapperFaults(mappers)]
}

function mapFaults(exceptionMap: unknown): readonly MappingFault[] {
  if (!isEntries(exceptionMap)) {
    const remedy = 'give a list, exceptionMap: [[OutOfStock, 409]], or a Map'
    return [mapFault('is not a list of classes and statuses', remedy)]
  }
  const seen = new Set<unknown>()
  const faults: MappingFault[] = []
  for (const { error, status } of entriesOf(exceptionMap)) {
    if (!isClass(error)) {
      faults.push(mapFault('the exception map has an entry without a class', 'give the class itself, not its name'))
    } else if (seen.has(error.prototype)) {
      faults.push(mapFault(`the exception map names ${className(error)} twice`, 'keep one of the two'))
    } else if (!isErrorStatus(status)) {
      const problem = `the exception map gives ${className(error)} ${statusText(status)}`
      faults.push(mapFault(problem, 'give one from 400 to 599'))
    } else {
      seen.add(error.prototype)
    }
  }
  return faults
}

function mapperFaults(mappers: unknown): readonly MappingFault[] {
  if (!Array.isArray(mappers)) return [mapperFault('is not a list', 'give a list of exception mappers')]
  // The copy turns holes of the list into undefined; flatMap skips holes.
  return [...mappers].flatMap((mapper: Partial<ExceptionMapper> | null | undefined, index) => {
    if (typeof mapper?.map !== 'function') {
      return [mapperFault(`the exception mapper ${index} has no function 'map'`, "give one with a function 'map'")]
    }
    if (isPriority(mapper.priority ?? 0)) return []
    return [mapperFault(`the priority of exception mapper ${index} is not a number`, 'give a number, or leave it out')]
  })
}

function mapFault(problem: string, remedy: string): MappingFault {
  return { member: 'exceptionMap', problem, remedy }
}

function mapperFault(problem: string, remedy: string): MappingFault {
  return { member: 'mappers', problem, remedy }
}

function isEntries(value: unknown): value is ExceptionMap {
  if (value instanceof Map) return true
  return Array.isArray(value) && [...value].every((entry) => typeof entry === 'object' && entry !== null)
}

function isClass(error: unknown): error is ClassOf<object> {
  return typeof error === 'function' && typeof error.prototype === 'object'
}

function className({ name }: { readonly name: unknown }): string {
  return typeof name === 'string' ? name : 'a class'
}

function statusText(status: unknown): string {
  return typeof status === 'number' ? `the status ${status}` : 'a status that is not a number'
}

function isPriority(priority: unknown): boolean {
  return typeof priority === 'number' && !Number.isNaN(priority)
}

export function entriesOf(exceptionMap: ExceptionMap): readonly ExceptionMapping[] {
  return [...exceptionMap].map((entry) => ('error' in entry ? entry : { error: entry[0], status: entry[1] }))
}

/**
 * Returns all mappers in the order in which they run, including one for the exception map. Both inputs must be free of
 * faults.
 */
export function compileMappers(
  mappers: readonly ExceptionMapper[],
  exceptionMap: ExceptionMap,
): readonly ExceptionMapper[] {
  const statuses = new Map<object, number>(
    entriesOf(exceptionMap).map(({ error, status }) => [error.prototype as object, status]),
  )
  const all = statuses.size === 0 ? mappers : [...mappers, mapByClass(statuses)]
  return Object.freeze(all.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0)))
}

/**
 * Runs the mappers in order and returns the first result, or `null`. Errors that a mapper throws are not caught here.
 */
export function mapException(
  thrown: unknown,
  mappers: readonly ExceptionMapper[],
  context: ErrorContext,
): Exclude<MappedException, null | undefined> | null {
  for (const mapper of mappers) {
    const mapped = mapper.map(thrown, context)
    ignoreRejection(mapped)
    if (mapped !== null && mapped !== undefined) return mapped
  }
  return null
}

/** The limit ends the loop for a proxy with an endless prototype chain. No class hierarchy is this deep. */
const maxChainDepth = 1000

function mapByClass(statuses: ReadonlyMap<object, number>): ExceptionMapper {
  return {
    priority: mapPriority,
    map(thrown) {
      let prototype = prototypeOf(thrown)
      for (let depth = 0; prototype !== null && depth < maxChainDepth; depth++) {
        const status = statuses.get(prototype)
        if (status !== undefined) return new HttpError(status, thrownMessage(thrown), { cause: thrown })
        prototype = prototypeOf(prototype)
      }
      return null
    },
  }
}

function prototypeOf(value: unknown): object | null {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return null
  try {
    return Object.getPrototypeOf(value) as object | null
  } catch {
    return null
  }
}
