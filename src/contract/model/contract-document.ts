import { isPlainObject } from '../../util/deep-freeze.js'
import type { JsonObject } from './json.js'
import { objectIn } from './json.js'

/** An OpenAPI document whose references can be followed. */
export interface ContractDocument {
  readonly root: JsonObject
  /** Returns the object that a reference leads to, with the members beside the reference, and the name of the component. */
  resolve(value: unknown): Resolved
  /** Caches what is read from schemas: many operations have the same. The key tells what is read, and from which schemas. */
  once<T>(key: string, read: () => T): T
}

interface Resolved {
  readonly value: JsonObject
  /** The name of the last component on the way; `null` if the value is no reference. */
  readonly component: string | null
}

/** The reason why a document cannot be compared, as a sentence for the user. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
}

/** The version of the structure of documents that this code reads: `CONTRACT` of openapi-document.ts. */
const CONTRACT = 1

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
      `${name} has the structure ${String(contract)}, and this version of Ashlar reads ${CONTRACT}. ${remedy}`,
    )
  }
  const cached = new Map<string, unknown>()
  return {
    root: value,
    resolve: (reference) => resolved(value, reference),
    once: <T>(key: string, read: () => T): T => {
      if (!cached.has(key)) cached.set(key, read())
      return cached.get(key) as T
    },
  }
}

function resolved(root: JsonObject, reference: unknown): Resolved {
  let [value, component]: [JsonObject, string | null] = [objectIn(reference), null]
  const seen = new Set<string>()
  while (typeof value['$ref'] === 'string' && !seen.has(value['$ref'])) {
    const { $ref, ...beside } = value
    seen.add(String($ref))
    const steps = String($ref).split('/').slice(1).map(unescaped)
    component = steps.at(-1) ?? null
    value = { ...steps.reduce<JsonObject>((at, step) => objectIn(at[step]), root), ...beside }
  }
  return { value, component }
}

function unescaped(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
}
