import { deepFreeze } from '../../core/util/deep-freeze.js'
import type { Steps } from '../../core/util/in-slices.js'
import type { ServedFile } from '../../describe/viewer/served-file.js'
import { servedFile } from '../../describe/viewer/served-file.js'

type Members = Readonly<Record<string, unknown>>

/** The members of an OpenAPI document that grow with the number of types, and whose members are such. */
const large: readonly string[] = Object.freeze(['paths', 'components', 'schemas', 'parameters', 'responses'])

/** Freezes a description, step by step. */
export function* frozenInSteps<Description extends object>(description: Description): Steps<Description> {
  for (const [name, member] of Object.entries(description as Members)) {
    if (large.includes(name) && isObject(member)) yield* frozenInSteps(member)
    else deepFreeze(member)
    yield
  }
  return Object.freeze(description)
}

/** Returns a description as JSON, written step by step: the text is that of `JSON.stringify()`. */
export function* jsonFileInSteps(description: object): Steps<ServedFile> {
  const parts: string[] = []
  yield* writeJson(description as Members, parts)
  return servedFile('application/json', parts.join(''))
}

function* writeJson(value: Members, parts: string[]): Steps<void> {
  let separator = '{'
  for (const [name, member] of Object.entries(value)) {
    const isLarge = large.includes(name) && isObject(member)
    const text = isLarge ? '' : (JSON.stringify(member) as string | undefined)
    if (text === undefined) continue
    parts.push(separator, JSON.stringify(name), ':', text)
    separator = ','
    if (isLarge) yield* writeJson(member, parts)
    yield
  }
  parts.push(separator === '{' ? '{}' : '}')
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
