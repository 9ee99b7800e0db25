import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { JsonObject } from './json.js'
import { objectIn } from './json.js'

/** An OpenAPI document whose references can be followed. */
export interface ContractDocument {
  readonly root: JsonObject
  /** Returns the object to which a reference refers, with the members beside the reference, and the name of the component. */
  resolve(value: unknown): Resolved
  /** Caches values that are read from schemas, because many operations share them. The key identifies the value and the schemas. */
  once<T>(key: string, read: () => T): T
}

interface Resolved {
  readonly value: JsonObject
  /** The name of the last referenced component; `null` if the value is not a reference. */
  readonly component: string | null
}

/** The reason why a document cannot be compared, as a sentence for the user. */
class ContractError extends Error {
  override readonly name = 'ContractError'
}

/** The version of the structure of documents that this code reads: `CONTRACT` of openapi-document.ts. */
const CONTRACT = 2

/**
 * @param name the name of the document, for messages
 * @throws {ContractError} if it is not a document that `ashlar openapi` has written
 */
export function contractDocument(value: unknown, name: string): ContractDocument {
  const remedy = 'Write it with `ashlar openapi`.'
  if (!isPlainObject(value) || typeof value['openapi'] !== 'string' || !isPlainObject(value['paths'])) {
    throw new ContractError(`${name} is not an OpenAPI document. ${remedy}`)
  }
  const contract = objectIn(objectIn(value['info'])['x-generator'])['contract']
  if (contract === undefined) {
    throw new ContractError(
      `${name} is an OpenAPI document that Ashlar has not written: types cannot be found in it. ${remedy}`,
    )
  }
  if (contract !== CONTRACT) {
    throw new ContractError(
      `${name} has the structure ${JSON.stringify(contract)}, and this version of Ashlar reads ${CONTRACT}. ${remedy} If it is in a commit, name a build: --build 'npm run build'.`,
    )
  }
  const cached = new Map<string, unknown>()
  const once = <T>(key: string, read: () => T): T => {
    if (!cached.has(key)) cached.set(key, read())
    return cached.get(key) as T
  }
  const target = (reference: string): Target => once(`reference ${reference}`, () => targetOf(value, reference))
  return { root: value, resolve: (reference) => resolved(reference, target), once }
}

/** The object to which a reference refers, and its name. */
interface Target {
  readonly value: JsonObject
  readonly component: string | null
}

function targetOf(root: JsonObject, reference: string): Target {
  const steps = reference.split('/').slice(1).map(unescaped)
  return { value: steps.reduce<JsonObject>((at, step) => objectIn(at[step]), root), component: steps.at(-1) ?? null }
}

/** Follows references until there is none, or until one repeats. */
function resolved(reference: unknown, target: (reference: string) => Target): Resolved {
  let [value, component]: [JsonObject, string | null] = [objectIn(reference), null]
  const seen = new Set<string>()
  while (typeof value['$ref'] === 'string' && !seen.has(value['$ref'])) {
    const { $ref, ...beside } = value
    seen.add($ref)
    const next = target($ref)
    component = next.component
    value = Object.keys(beside).length === 0 ? next.value : { ...next.value, ...beside }
  }
  return { value, component }
}

function unescaped(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
}
