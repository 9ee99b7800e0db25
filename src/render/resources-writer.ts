import type { ResourceNode, ResourceRows, Resources } from '../operation/response-value.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { oncePer } from '../util/once-per.js'
import type { Recent } from '../util/recent.js'
import { recent } from '../util/recent.js'
import { isSealed } from '../util/sealed.js'
import type { DocumentText } from './document-text.js'
import { resourceWriter } from './resource-writer.js'
import type { ResourceWriter } from './row-template.js'

export interface Surroundings {
  /** What stands before `/{uriType}`. */
  readonly base: string
  /** Takes what is finished. */
  readonly whole: DocumentText
}

/** Appends the members `data` and `included` of a document to a text, and answers what is not finished of it. */
export function writeResources(text: string, resources: Resources, { base, whole }: Surroundings): string {
  const { included } = resources
  const write = anyResourceWriter(resources, base)
  const all = writePrimary(text, resources, { write, whole })
  return included === null ? all : writeList(`${all},"included":`, included, { write, whole })
}

/** Appends a resource of a document, whatever its type. */
export type DocumentWriter = (text: string, node: ResourceNode) => string

interface Writing {
  readonly write: DocumentWriter
  readonly whole: DocumentText
}

/** Appends the member `data` alone. */
export function writePrimary(text: string, { primary, many }: Resources, writing: Writing): string {
  const all = `${text}"data":`
  if (many) return writeList(all, primary, writing)
  const [first] = primary
  return first === undefined ? `${all}null` : writing.write(all, first)
}

function writeList(text: string, nodes: readonly ResourceNode[], { write, whole }: Writing): string {
  let all = `${text}[`
  let some = false
  for (const node of nodes) {
    all = whole.settle(write(some ? `${all},` : all, node))
    some = true
  }
  return `${all}]`
}

/** Writes the resources of one document. */
export function anyResourceWriter({ query, context }: Resources, base: string): DocumentWriter {
  // Resources of one set come one after the other.
  let rows: ResourceRows | null = null
  let write: ResourceWriter | null = null
  return (text, node) => {
    if (write === null || rows !== node.rows) {
      rows = node.rows
      write = compiledWriter(rows, query.fields.get(rows.served.type.type), base)
    }
    return write(text, node, context)
  }
}

interface Compiled {
  readonly fieldset: ReadonlySet<string> | undefined
  readonly base: string
  readonly write: ResourceWriter
}

/** The writers of a type. */
interface Writers {
  /** A store that reads the same again answers the same list of columns. */
  readonly byColumns: WeakMap<readonly string[], Compiled[]>
  /** For all other lists: those of programs, and of rows that were just written, are made anew each time. */
  readonly byNames: Recent<string, Compiled[]>
}

/** Clients choose columns by their fieldsets: only so many choices are kept of a type. */
const KEPT_CHOICES = 100

/** Clients choose fieldsets, and may call a server by any name, which its links then have: only so many are kept at a time. */
const KEPT_WRITERS = 32

/** A writer is compiled once for a type, a fieldset, the columns of the rows, and what links begin with. */
function compiledWriter(rows: ResourceRows, fieldset: ReadonlySet<string> | undefined, base: string): ResourceWriter {
  const kept = writersFor(rows)
  for (const known of kept) if (known.base === base && known.fieldset === fieldset) return known.write
  const write = resourceWriter(rows, { fieldset, base })
  // A fieldset that may still change is no name for what it was.
  if (fieldset !== undefined && !isSealed(fieldset)) return write
  if (kept.length >= KEPT_WRITERS) kept.shift()
  kept.push({ fieldset, base, write })
  return write
}

const writersOf = oncePer(
  (_served: ServedType): Writers => ({ byColumns: new WeakMap(), byNames: recent(KEPT_CHOICES) }),
)

function writersFor({ served, columns }: ResourceRows): Compiled[] {
  const { byColumns, byNames } = writersOf(served)
  const known = byColumns.get(columns)
  if (known !== undefined) return known
  const compiled = byNames.obtain(JSON.stringify(columns), () => [])
  byColumns.set(columns, compiled)
  return compiled
}
