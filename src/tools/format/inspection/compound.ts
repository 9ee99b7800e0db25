import { pointer } from '../../../core/document/json-pointer.js'
import type { DocumentInspection, JsonObject, Path } from './document-inspection.js'
import { isJsonObject, observe, reportProblem } from './document-inspection.js'

/** An object of a document with its pointer. */
interface LocatedObject {
  readonly at: Path
  readonly object: JsonObject
}

/** Expectations of the document that do not follow from its content. */
interface CompoundExpectation {
  readonly kind?: string
  readonly fieldsets?: boolean | readonly string[]
}

/**
 * Checks the rules of a compound document (https://jsonapi.org/format/1.1/#document-compound-documents): no resource
 * occurs twice, and every included resource is linked from another one.
 */
export function checkCompound(
  document: JsonObject,
  { kind, fieldsets = [] }: CompoundExpectation,
  inspection: DocumentInspection,
): void {
  const primary = objectsIn(document['data'], ['data'])
  const included = objectsIn(document['included'], ['included'])
  const areResources = kind === 'data' || kind === 'related'
  const resources = areResources ? primary : primary.filter(({ object }) => !isIdentifier(object))
  const isCompound = Object.hasOwn(document, 'included')
  if (isCompound) observe(inspection, 'compound-documents-duplicates', 'compound-documents-full-linkage')
  checkDuplicates([...resources, ...included], isCompound, inspection)
  if (fieldsets !== true) checkFullLinkage(primary, included, { restricted: fieldsets || [], inspection })
}

function objectsIn(value: unknown, at: Path): readonly LocatedObject[] {
  if (isJsonObject(value)) return [{ at, object: value }]
  if (!Array.isArray(value)) return []
  return value.flatMap((object: unknown, index) => (isJsonObject(object) ? [{ at: [...at, index], object }] : []))
}

/**
 * Returns whether an object has only members of an identifier. A resource without fields looks the same, so it is not
 * reported if it is included again.
 */
function isIdentifier(object: JsonObject): boolean {
  return Object.keys(object).every((member) => ['type', 'id', 'lid', 'meta'].includes(member))
}

function checkDuplicates(
  resources: readonly LocatedObject[],
  isCompound: boolean,
  inspection: DocumentInspection,
): void {
  const seen = new Set<string>()
  for (const { at, object } of resources) {
    const key = identity(object)
    if (seen.has(key)) {
      const statement = isCompound ? 'compound-documents-duplicates' : null
      reportProblem(inspection, statement, at, `The resource ${nameOf(object)} is in the document twice.`)
    }
    seen.add(key)
  }
}

interface LinkageCheck {
  /** Types whose fieldset may omit linkage. */
  readonly restricted: readonly unknown[]
  readonly inspection: DocumentInspection
}

/** Checks full linkage. It stops without problems at a resource whose fieldset may omit linkage to other resources. */
function checkFullLinkage(
  primary: readonly LocatedObject[],
  included: readonly LocatedObject[],
  { restricted, inspection }: LinkageCheck,
): void {
  const byIdentity = new Map(included.map(({ object }) => [identity(object), object]))
  const reached = new Set<string>()
  const queue = primary.map(({ object }) => object)
  for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
    if (restricted.includes(object['type'])) return
    for (const identifier of [object, ...linkageOf(object)]) {
      const key = identity(identifier)
      const next = byIdentity.get(key)
      if (next === undefined || reached.has(key)) continue
      reached.add(key)
      queue.push(next)
    }
  }
  const identified = new Set(included.flatMap(({ object }) => linkageOf(object)).map(identity))
  for (const { at, object } of included) {
    if (reached.has(identity(object))) continue
    inspection.problems.push({
      pointer: pointer(...at),
      problem: `No linkage refers to the included resource ${nameOf(object)}.`,
      statement: 'compound-documents-full-linkage',
      // In 1.0 any resource of the document may identify an included one, even a resource that is not linked itself.
      ...(identified.has(identity(object)) ? { since: '1.1' as const } : {}),
    })
  }
}

function linkageOf({ relationships }: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(relationships)) return []
  return Object.values(relationships).flatMap((relationship) => {
    const data = isJsonObject(relationship) ? relationship['data'] : null
    return (Array.isArray(data) ? data : [data]).filter(isJsonObject)
  })
}

function identity({ type, id, lid }: JsonObject): string {
  return JSON.stringify([type, id ?? null, id === undefined ? (lid ?? null) : null])
}

function nameOf({ type, id }: JsonObject): string {
  return `'${String(type)}' '${String(id)}'`
}
