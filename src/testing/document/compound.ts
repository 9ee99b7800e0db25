import type { Inspection, JsonObject, Path } from './inspection.js'
import { isObject, note } from './inspection.js'

interface Placed {
  readonly at: Path
  readonly object: JsonObject
}

/** What is known of the document besides it. */
interface Known {
  readonly kind?: string
  readonly fieldsets?: boolean | readonly string[]
}

/**
 * Rules over the document as a whole (https://jsonapi.org/format/1.1/#document-compound-documents): no resource twice, and
 * every included one linked to from somewhere.
 */
export function checkCompound(document: JsonObject, { kind, fieldsets = [] }: Known, inspection: Inspection): void {
  const primary = placed(document['data'], ['data'])
  const included = placed(document['included'], ['included'])
  const areResources = kind === 'data' || kind === 'related'
  const resources = areResources ? primary : primary.filter(({ object }) => !isIdentifier(object))
  checkDuplicates([...resources, ...included], inspection)
  if (fieldsets !== true) checkFullLinkage(primary, included, { restricted: fieldsets || [], inspection })
}

function placed(value: unknown, at: Path): readonly Placed[] {
  if (isObject(value)) return [{ at, object: value }]
  if (!Array.isArray(value)) return []
  return value.flatMap((object: unknown, index) => (isObject(object) ? [{ at: [...at, index], object }] : []))
}

/** Nothing but what an identifier has; a bare resource looks the same, and may be included again. */
function isIdentifier(object: JsonObject): boolean {
  return Object.keys(object).every((member) => ['type', 'id', 'lid', 'meta'].includes(member))
}

function checkDuplicates(resources: readonly Placed[], inspection: Inspection): void {
  const seen = new Set<string>()
  for (const { at, object } of resources) {
    const key = identity(object)
    if (seen.has(key)) note(inspection, at, `The resource ${shown(object)} is in the document twice.`)
    seen.add(key)
  }
}

interface LinkageCheck {
  /** Types whose fieldset may leave out linkage. */
  readonly restricted: readonly unknown[]
  readonly inspection: Inspection
}

/** A resource that a fieldset may have taken relationships from may lead to any other. */
function checkFullLinkage(
  primary: readonly Placed[],
  included: readonly Placed[],
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
  for (const { at, object } of included) {
    if (!reached.has(identity(object))) note(inspection, at, `No linkage leads to the included ${shown(object)}.`)
  }
}

function linkageOf({ relationships }: JsonObject): readonly JsonObject[] {
  if (!isObject(relationships)) return []
  return Object.values(relationships).flatMap((relationship) => {
    const data = isObject(relationship) ? relationship['data'] : null
    return (Array.isArray(data) ? data : [data]).filter(isObject)
  })
}

function identity({ type, id, lid }: JsonObject): string {
  return JSON.stringify([type, id ?? null, id === undefined ? (lid ?? null) : null])
}

function shown({ type, id }: JsonObject): string {
  return `'${String(type)}' '${String(id)}'`
}
