import { isPlainObject } from '../../core/util/deep-freeze.js'

/** The methods of a path item: https://spec.openapis.org/oas/v3.1.0#path-item-object */
const methods: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/**
 * Returns a sentence for each operation, component and other part by which a document differs from an older one: `schema 'Albums' is
 * new.` The parts of documents without operations, such as JSON Schemas by type, are their members.
 */
export function documentDifferences(older: unknown, newer: unknown): readonly string[] {
  const [before, after] = [partsOf(older), partsOf(newer)]
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((name) => {
    if (!before.has(name)) return [`${name} is new.`]
    if (!after.has(name)) return [`${name} was removed.`]
    const at = pointerToDifference(before.get(name), after.get(name))
    return at === null ? [] : [`${name} has changed${at === '' ? '' : ` at ${at}`}.`]
  })
}

/** Returns the parts of a document, by their names in sentences. */
function partsOf(document: unknown): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>()
  for (const [member, value] of membersOf(document)) {
    if (member === 'paths') addOperations(parts, value)
    else if (member === 'components') addComponents(parts, value)
    else parts.set(`'${member}'`, value)
  }
  return parts
}

function addOperations(parts: Map<string, unknown>, paths: unknown): void {
  for (const [path, item] of membersOf(paths)) {
    for (const [member, value] of membersOf(item)) {
      const id = isPlainObject(value) ? value['operationId'] : undefined
      const operation = `${member.toUpperCase()} ${path}${typeof id === 'string' ? ` (${id})` : ''}`
      parts.set(methods.includes(member) ? operation : `'${member}' of ${path}`, value)
    }
  }
}

function addComponents(parts: Map<string, unknown>, components: unknown): void {
  for (const [section, named] of membersOf(components)) {
    // schemas: schema
    for (const [name, value] of membersOf(named)) parts.set(`${section.replace(/s$/, '')} '${name}'`, value)
  }
}

/** Returns the JSON Pointer of the first difference; `null` if there is none. The order of members counts, because it changes the text. */
function pointerToDifference(before: unknown, after: unknown): string | null {
  if (JSON.stringify(before) === JSON.stringify(after)) return null
  const isPair = Array.isArray(before) ? Array.isArray(after) : isPlainObject(before) && isPlainObject(after)
  if (!isPair) return ''
  const [older, newer] = [new Map(membersOf(before)), new Map(membersOf(after))]
  for (const member of new Set([...older.keys(), ...newer.keys()])) {
    const at = pointerToDifference(older.get(member), newer.get(member))
    if (at !== null) return `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}${at}`
  }
  return ''
}

function membersOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
