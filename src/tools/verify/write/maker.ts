import { randomInt } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'
import { unknownId } from '../checks/missing.js'
import { addressedIn } from '../checks/run.js'
import type { KnownType } from '../crawl/knowledge.js'
import { identifiersIn, type ResourceObject } from '../documents/document-links.js'
import { type Exchange, responded } from '../exchange/exchange.js'
import { type DescribedCreation, describedCreation, membersOf } from '../openapi/described-members.js'
import { alteredText, isFreeText, sampleValue, uniqueLetters } from './sample-value.js'
import { type WriteRun, write } from './write-run.js'

/** How a member of a new resource gets its value. The next variant is tried if the server refuses one. */
type Variant = 'altered' | 'original' | 'omitted'

interface Planned {
  readonly original: unknown
  variants: readonly Variant[]
  /** The maximum length of texts, in characters. */
  readonly longest: number
}

/** Makes documents that create resources of a type. */
export interface Maker {
  readonly type: KnownType
  readonly url: string
  /** Returns a document for another new resource. */
  fresh(): NewDocument
  /** The response to the request that has created the first resource. */
  readonly exchange: Exchange
  /** Whether the client chooses ids. */
  readonly id: DescribedCreation['id'] | 'unknown'
  /** Returns an id that no resource of the type has. */
  freshId(): string
  /** Returns another value of an attribute that the server accepts; `undefined` if there is none. */
  otherValue(attribute: string): unknown
}

export interface NewDocument {
  readonly data: NewResource
}

export interface NewResource {
  readonly type: string
  readonly id?: string
  readonly attributes?: JsonObject
  readonly relationships?: JsonObject
}

/** The maximum number of requests. */
const mostAttempts = 8

/** Finds a document that creates a resource of a type. Resolves to `null` if there is none. */
export async function findMaker(type: KnownType, run: WriteRun): Promise<Maker | null> {
  const url = type.collection?.url
  if (url === undefined || (run.description !== null && run.description.find('POST', url) === null)) return null
  const plan = planFor(type, url, run)
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const document = documentOf(plan)
    const exchange = await write(run, url, { method: 'POST', document }, 'create-http-semantics')
    if (exchange === null) return null
    const { status } = exchange.response
    if (status === 202) return acceptedForLater(exchange, run)
    if (status >= 200 && status < 300) return makerOf(plan, exchange)
    if ([401, 404, 405, 415, 501].includes(status) || status >= 500 || !adapt(plan, exchange)) return null
  }
  return null
}

/** Adds a note about a resource that is created later, at an unknown time and address. */
function acceptedForLater(exchange: Exchange, { ledger }: WriteRun): null {
  ledger.observe('create-responses-202')
  ledger.note(`${responded(exchange)}. The resource that the server creates later was neither judged nor removed.`)
  return null
}

/** The members of new resources of a type. */
interface Plan {
  readonly type: KnownType
  readonly url: string
  readonly attributes: Map<string, Planned>
  readonly relationships: Map<string, Planned>
  readonly described: DescribedCreation | null
  sendsId: boolean
  readonly ids: readonly string[]
  idOf(): string
}

function planFor(type: KnownType, url: string, run: WriteRun): Plan {
  const described = describedCreation(url, run.description)
  const sample = addressedIn(type) ?? [...type.resources.values()][0] ?? null
  const ids = [...type.resources.keys()]
  return {
    type,
    url,
    attributes: plannedAttributes(sample, described, run),
    relationships: plannedRelationships(sample, described, run),
    described,
    sendsId: described?.id === 'required',
    ids,
    idOf: () => idFor(described, ids, run),
  }
}

/** Plans the values of attributes: those of another resource. Required attributes without a known value get one from their schema. */
function plannedAttributes(
  sample: ResourceObject | null,
  described: DescribedCreation | null,
  { description }: WriteRun,
): Map<string, Planned> {
  const shown = sample?.attributes ?? {}
  const names = described === null ? Object.keys(shown) : Object.keys(described.attributes.properties)
  const planned = names.flatMap((name): readonly (readonly [string, Planned])[] => {
    const schema = described?.attributes.properties[name] ?? true
    const isReadOnly = isJsonObject(schema) && schema['readOnly'] === true
    if (name.startsWith('@') || schema === false || isReadOnly) return []
    const longest = isJsonObject(schema) ? Number(schema['maxLength'] ?? 200) : 200
    const isBound = isJsonObject(schema) && ['enum', 'const', 'pattern', 'format', '$ref'].some((key) => key in schema)
    const original = shown[name] ?? null
    if (original !== null) return [[name, { original, longest, variants: variantsOf(original, isBound) }]]
    if (described?.attributes.required.includes(name) !== true || description === null) return []
    const made = sampleValue(schema, description)
    return made === undefined ? [] : [[name, { original: made, longest, variants: variantsOf(made, isBound) }]]
  })
  return new Map(planned)
}

function variantsOf(value: unknown, isBound: boolean): readonly Variant[] {
  if (typeof value === 'string' && !isBound && isFreeText(value)) return ['altered', 'original', 'omitted']
  return ['original', 'altered', 'omitted']
}

/** Plans to-one relationships: with the linkage of another resource. To-many members would be taken away from it. */
function plannedRelationships(
  sample: ResourceObject | null,
  described: DescribedCreation | null,
  run: WriteRun,
): Map<string, Planned> {
  const names =
    described === null ? Object.keys(sample?.relationships ?? {}) : Object.keys(described.relationships.properties)
  const planned = names.flatMap((name): readonly (readonly [string, Planned])[] => {
    const relationship = sample?.relationships[name]
    const shown = isJsonObject(relationship) ? relationship['data'] : undefined
    const isRequired = described?.relationships.required.includes(name) ?? false
    const isOne = shown !== undefined && shown !== null && !Array.isArray(shown)
    const data = isOne ? identifiersIn(shown)[0] : isRequired ? requiredLinkage(name, described, run) : undefined
    return data === undefined ? [] : [[name, { original: { data }, longest: 0, variants: ['original', 'omitted'] }]]
  })
  return new Map(planned)
}

function requiredLinkage(
  name: string,
  described: DescribedCreation | null,
  { description, knowledge }: WriteRun,
): unknown {
  const schema = described?.relationships.properties[name]
  if (schema === undefined || description === null) return undefined
  const data = membersOf(schema, description).properties['data'] ?? true
  const items = isJsonObject(data) ? data['items'] : undefined
  const identifier = membersOf(items === undefined ? data : (items as boolean), description).properties['type']
  const type = identifier === undefined ? undefined : sampleValue(identifier, description)
  const [id] = knowledge.types.get(String(type))?.resources.keys() ?? []
  const member = id === undefined ? undefined : { type, id }
  return items === undefined || member === undefined ? member : [member]
}

function idFor(described: DescribedCreation | null, ids: readonly string[], { description }: WriteRun): string {
  const [known] = ids
  if (known !== undefined && /^[a-z]+(?:-[a-z]+)*$/.test(known))
    return uniqueLetters().slice(0, Math.max(known.length, 8))
  if (known !== undefined && /^\d+$/.test(known)) return String(2_000_000_000 + randomInt(100_000_000))
  const made = known === undefined ? undefined : unknownId(known, ids)
  const bySchema =
    described?.idSchema == null || description === null ? undefined : sampleValue(described.idSchema, description)
  return made ?? (typeof bySchema === 'string' ? bySchema : uniqueLetters())
}

function documentOf(plan: Plan): NewDocument {
  const attributes = valuesOf(plan.attributes)
  const relationships = valuesOf(plan.relationships)
  return {
    data: {
      type: plan.type.name,
      ...(plan.sendsId ? { id: plan.idOf() } : {}),
      attributes,
      ...(Object.keys(relationships).length === 0 ? {} : { relationships }),
    },
  }
}

function valuesOf(members: ReadonlyMap<string, Planned>): JsonObject {
  return Object.fromEntries(
    [...members].flatMap(([name, planned]) => {
      const [variant = 'omitted'] = planned.variants
      return variant === 'omitted' ? [] : [[name, variant === 'altered' ? altered(planned) : planned.original]]
    }),
  )
}

function altered({ original, longest }: Planned): unknown {
  if (typeof original === 'string') return alteredText(original, longest)
  if (typeof original === 'number') return Number.isInteger(original) ? original + randomInt(1, 100_000) : original + 1
  return typeof original === 'boolean' ? !original : original
}

/** Changes the members that the errors of a response are about. Returns false if nothing can be changed. */
function adapt(plan: Plan, { document }: Exchange): boolean {
  const errors =
    isJsonObject(document) && Array.isArray(document['errors']) ? document['errors'].filter(isJsonObject) : []
  const pointers = errors.flatMap(({ source }) => {
    const pointer = isJsonObject(source) ? source['pointer'] : undefined
    return typeof pointer === 'string' ? [pointer] : []
  })
  let isChanged = false
  for (const pointer of new Set(pointers.map((each) => each.split('/').slice(1, 4).join('/')))) {
    const [, group, name = ''] = pointer.split('/')
    const planned = group === 'attributes' ? plan.attributes.get(name) : plan.relationships.get(name)
    if (planned !== undefined && planned.variants.length > 1) {
      planned.variants = planned.variants.slice(1)
      isChanged = true
    }
    if (pointer === 'data/id' || (pointer === 'data' && !plan.sendsId)) {
      plan.sendsId = !plan.sendsId
      isChanged = true
    }
  }
  return isChanged || adaptWithoutPointers(plan)
}

/** Changes members if the errors have no pointers: tries the values of the other resource, then fewer members. */
function adaptWithoutPointers(plan: Plan): boolean {
  const members = [...plan.attributes.values()]
  const shortened = members.filter(({ variants }) => variants[0] === 'altered')
  if (shortened.length > 0) {
    for (const planned of shortened) planned.variants = planned.variants.slice(1)
    return true
  }
  const relationships = [...plan.relationships.values()].filter(({ variants }) => variants.length > 1)
  for (const planned of relationships) planned.variants = ['omitted']
  if (relationships.length > 0) return true
  // Attributes that the server computes are often dates or numbers.
  const computed = members.filter(({ original, variants }) => typeof original !== 'string' && variants[0] !== 'omitted')
  for (const planned of computed) planned.variants = ['omitted']
  return computed.length > 0
}

function makerOf(plan: Plan, exchange: Exchange): Maker {
  return {
    type: plan.type,
    url: plan.url,
    exchange,
    id: plan.sendsId ? 'required' : (plan.described?.id ?? 'unknown'),
    fresh: () => documentOf(plan),
    freshId: () => plan.idOf(),
    otherValue(attribute) {
      const planned = plan.attributes.get(attribute)
      if (planned === undefined || planned.variants[0] === 'omitted') return undefined
      const value = altered(planned)
      return JSON.stringify(value) === JSON.stringify(planned.original) ? undefined : value
    },
  }
}
