import type { ResourceNode, ResourceRows, Resources } from '../operation/response-value.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { keyReader } from '../../declare/resource/parts/key-columns.js'
import { memoize } from '../../core/util/memoize.js'
import type { LruCache } from '../../core/util/lru-cache.js'
import { lruCache } from '../../core/util/lru-cache.js'
import { isSealed } from '../../core/util/sealed.js'
import { forEachInSlices } from '../../core/util/time-slices.js'
import type { Awaitable } from '../../core/util/types.js'
import type { DocumentText } from './document-text.js'
import { resourceWriter } from './resource-writer.js'
import type { ResourceWriter } from './row-template.js'
import { UnshownValue, unshownIn } from '../../declare/resource/reading/shown-value.js'

export interface ResourcesWriterOptions {
  /** The URL before `/{uriType}`. */
  readonly base: string
  /** Converts finished parts of the document to bytes. */
  readonly output: DocumentText
  readonly onUnshown: ReportUnshown
}

/**
 * Called with the error of an attribute that cannot be shown, which is left out: once for each attribute of a type in a
 * document, because a wrong declaration concerns all its rows.
 */
export type ReportUnshown = (error: Error) => void

/**
 * Appends the members `data` and `included` of a document to a text. Returns the text that is not yet converted to
 * bytes.
 */
export function writeResources(
  text: string,
  resources: Resources,
  { base, output: whole, onUnshown }: ResourcesWriterOptions,
): Awaitable<string> {
  const { primary, many, included } = resources
  const write = resourceNodeWriter(resources, { base, onUnshown })
  const opened = `${text}"data":`
  const withPrimary = many
    ? writeList(opened, primary, { write, whole })
    : writeFirst(opened, primary, { write, whole })
  if (included === null) return withPrimary
  const writeIncluded = (written: string): Awaitable<string> =>
    writeList(`${written},"included":`, included, { write, whole })
  return typeof withPrimary === 'string' ? writeIncluded(withPrimary) : withPrimary.then(writeIncluded)
}

/** Appends a resource of any type to a text. */
export type ResourceNodeWriter = (text: string, node: ResourceNode) => string

export interface ListOptions {
  readonly write: ResourceNodeWriter
  readonly whole: DocumentText
}

/** Appends the first resource, or `null`. */
export function writeFirst(text: string, [first]: readonly ResourceNode[], { write }: ListOptions): string {
  return first === undefined ? `${text}null` : write(text, first)
}

/** Appends a list of resources. It returns a promise if the list is long. */
function writeList(text: string, nodes: readonly ResourceNode[], { write, whole }: ListOptions): Awaitable<string> {
  let result = `${text}[`
  const written = forEachInSlices(nodes, (node, index) => {
    result = whole.flush(write(index === 0 ? result : `${result},`, node))
  })
  return written === undefined ? `${result}]` : written.then(() => `${result}]`)
}

/** Creates the writer for the resources of one document. It selects the compiled writer of each resource. */
export function resourceNodeWriter(
  { query, context }: Resources,
  { base, onUnshown }: Pick<ResourcesWriterOptions, 'base' | 'onUnshown'>,
): ResourceNodeWriter {
  // Resources that were read together follow one another, so the last writer is reused.
  let rows: ResourceRows | null = null
  let write: ResourceWriter | null = null
  let partial: PartialWriter | null = null
  return (text, node) => {
    if (write === null || rows !== node.rows) {
      rows = node.rows
      write = compiledWriter(rows, query.fields.get(rows.served.type.type), base)
    }
    try {
      return write(text, node, context)
    } catch (thrown) {
      if (!(thrown instanceof UnshownValue)) throw thrown
      partial ??= partialWriter({ query, base, context, onUnshown })
      return partial(text, node, thrown)
    }
  }
}

/** Appends a resource without the attributes that cannot be shown, of which one is known. */
type PartialWriter = (text: string, node: ResourceNode, unshown: UnshownValue) => string

interface PartialOptions extends Pick<Resources, 'query' | 'context'>, Pick<ResourcesWriterOptions, 'base'> {
  readonly onUnshown: ReportUnshown
}

/** Creates the writer for the resources of one document that have values which cannot be shown. */
function partialWriter({ query, base, context, onUnshown }: PartialOptions): PartialWriter {
  const reported = new Set<string>()
  const writers = new Map<ResourceRows, Map<string, ResourceWriter>>()
  const writerWithout = (rows: ResourceRows, names: readonly string[]): ResourceWriter => {
    const ofRows = writers.get(rows) ?? new Map<string, ResourceWriter>()
    writers.set(rows, ofRows)
    const key = JSON.stringify(names)
    const fieldset = query.fields.get(rows.served.type.type)
    const write = ofRows.get(key) ?? resourceWriter(rows, { fieldset, base, without: new Set(names) })
    ofRows.set(key, write)
    return write
  }
  const writeWithout = (text: string, node: ResourceNode, names: readonly string[], unshown: UnshownValue): string => {
    const { type } = node.rows.served.type
    const attribute = `${type}\n${unshown.attribute}`
    if (!reported.has(attribute)) onUnshown(unshownOf(node, unshown))
    reported.add(attribute)
    const without = [...names, unshown.attribute]
    try {
      return writerWithout(node.rows, without)(text, node, context)
    } catch (thrown) {
      if (!(thrown instanceof UnshownValue)) throw thrown
      return writeWithout(text, node, without, thrown)
    }
  }
  return (text, node, unshown) => writeWithout(text, node, [], unshown)
}

function unshownOf({ rows, row }: ResourceNode, thrown: UnshownValue): Error {
  const { type, id } = rows.served.type
  return unshownIn(type, id.encode(keyReader(rows.columns, id.column)(row)), thrown)
}

interface CachedWriter {
  readonly fieldset: ReadonlySet<string> | undefined
  readonly base: string
  readonly write: ResourceWriter
}

/** The cached writers of a type. */
interface WriterCache {
  /** By the array of columns: a store returns the same array for the same statement. */
  readonly byColumns: WeakMap<readonly string[], CachedWriter[]>
  /**
   * By the names of the columns, for lists that are new each time: those of application code and of rows just written.
   */
  readonly byNames: LruCache<string, CachedWriter[]>
}

/** Clients select columns by their fieldsets, so the number of cached lists of columns of a type is limited. */
const MAX_COLUMN_LISTS = 100

/** Clients choose the fieldset and the host name in the links, so the number of cached writers is limited. */
const MAX_WRITERS = 32

/**
 * Returns the cached writer for a type, a fieldset, the columns of the rows and the base URL. Compiles it the first
 * time, by `resourceWriter`. Without the cache, one resource takes 55 % more CPU time (W1 on SQLite).
 */
function compiledWriter(rows: ResourceRows, fieldset: ReadonlySet<string> | undefined, base: string): ResourceWriter {
  const cached = writersFor(rows)
  for (const entry of cached) if (entry.base === base && entry.fieldset === fieldset) return entry.write
  const write = resourceWriter(rows, { fieldset, base })
  // A fieldset that can still change cannot be a cache key.
  if (fieldset !== undefined && !isSealed(fieldset)) return write
  if (cached.length >= MAX_WRITERS) cached.shift()
  cached.push({ fieldset, base, write })
  return write
}

const cacheOf = memoize(
  (_served: ServedType): WriterCache => ({ byColumns: new WeakMap(), byNames: lruCache(MAX_COLUMN_LISTS) }),
)

function writersFor({ served, columns }: ResourceRows): CachedWriter[] {
  const { byColumns, byNames } = cacheOf(served)
  const cached = byColumns.get(columns)
  if (cached !== undefined) return cached
  const writers = byNames.getOrCreate(JSON.stringify(columns), () => [])
  byColumns.set(columns, writers)
  return writers
}
