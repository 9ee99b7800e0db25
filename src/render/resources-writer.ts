import type { ResourceNode, ResourceRows, Resources } from '../operation/response-value.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { ResourceWriter } from './resource-writer.js'
import { resourceWriter } from './resource-writer.js'

/** Appends the members `data` and `included` of a document to a text. */
export function writeResources(text: string, resources: Resources, base: string): string {
  const { included } = resources
  const write = anyResourceWriter(resources, base)
  const all = writePrimary(text, resources, write)
  return included === null ? all : writeList(`${all},"included":`, included, write)
}

/** Appends the member `data` alone. */
export function writePrimary(text: string, { primary, many }: Resources, write: ResourceWriter): string {
  const all = `${text}"data":`
  if (many) return writeList(all, primary, write)
  const [first] = primary
  return first === undefined ? `${all}null` : write(all, first)
}

function writeList(text: string, nodes: readonly ResourceNode[], write: ResourceWriter): string {
  let all = `${text}[`
  let some = false
  for (const node of nodes) {
    all = write(some ? `${all},` : all, node)
    some = true
  }
  return `${all}]`
}

/** Writes the resources of one document, whatever their types: a writer is compiled once for a type and its columns. */
export function anyResourceWriter({ query, context }: Resources, base: string): ResourceWriter {
  const writers = new Map<ServedType, Map<readonly string[], ResourceWriter>>()
  const compiled = (rows: ResourceRows): ResourceWriter => {
    const { served, columns } = rows
    const ofType = writers.get(served) ?? new Map<readonly string[], ResourceWriter>()
    writers.set(served, ofType)
    const known = ofType.get(columns)
    if (known !== undefined) return known
    const write = resourceWriter(rows, { fieldset: query.fields.get(served.type.type), context, base })
    ofType.set(columns, write)
    return write
  }
  // Resources of one set come one after the other.
  let last: { readonly rows: ResourceRows; readonly write: ResourceWriter } | null = null
  return (text, node) => {
    if (last?.rows !== node.rows) last = { rows: node.rows, write: compiled(node.rows) }
    return last.write(text, node)
  }
}
