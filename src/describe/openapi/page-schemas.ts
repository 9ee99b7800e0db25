import type { PageStrategy } from '../../declare/pagination/paginator.js'
import { countableProfile, cursorPaginationProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { PageChoice, PageContract, PageKey } from '../contract/contract.js'
import type { Api } from './described-server.js'
import { anyOf, isSame, nothing } from '../contract/merged-schema.js'
import { isRegistered } from './registered-profile.js'

/** Returns the parameters that select a page: one parameter, or one for each key. */
export function pageParameters(api: Api, page: PageContract): readonly JsonSchema[] {
  if (api.server.settings.pageParameters === 'flat') return flatParameters(page)
  const [only] = page.choices
  return [
    {
      name: 'page',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description: descriptionOf(page),
      ...strategyOf(page),
      schema: page.isMenu || only === undefined ? menuSchema(api, page) : onePage(api, only),
    },
  ]
}

/** Returns the strategy of pages; nothing for a menu, whose kinds are in the schema. */
function strategyOf({ isMenu, choices }: PageContract): JsonSchema {
  return isMenu ? {} : { 'x-strategy': choices[0]?.strategy }
}

/** In documents of many types, collections with equal pages have the schema in common. */
function onePage(api: Api, page: PageChoice): JsonSchema {
  const schema = pageSchema(api, page)
  return api.isCompact ? api.components.schema(api.names.ofPage(page.kind, schema), () => schema) : schema
}

function descriptionOf({ isMenu, defaultKind }: PageContract): string {
  const sentence = 'The page of the collection.'
  if (!isMenu) return sentence
  return `${sentence} Without \`kind\`, a key that only one kind has selects it, or else it is \`${defaultKind}\`.`
}

function menuSchema(api: Api, menu: PageContract): JsonSchema {
  const references = menu.choices.map((choice): readonly [kind: string, reference: JsonSchema] => {
    const schema = pageSchema(api, choice)
    const kind = { type: 'string', const: choice.kind }
    const properties = { kind, ...withoutDefaults(schema['properties'] as Readonly<Record<string, JsonSchema>>) }
    const named = { ...schema, title: choice.kind, properties, ...selectionRules(menu, choice) }
    return [choice.kind, api.components.schema(api.names.ofPage(choice.kind, named), () => named)]
  })
  return {
    oneOf: references.map(([, reference]) => reference),
    discriminator: {
      propertyName: 'kind',
      mapping: Object.fromEntries(references.map(([kind, { $ref }]) => [kind, $ref])),
      // OpenAPI 3.2 requires it, because clients may omit the kind. OpenAPI 3.1 does not know it.
      ...(api.version === '3.2' ? { defaultMapping: Object.fromEntries(references)[menu.defaultKind]?.['$ref'] } : {}),
    },
    'x-default-kind': menu.defaultKind,
  }
}

/**
 * Returns the keywords that let a page match only the choice of a menu that it selects. A page without `kind` selects a choice by a key that
 * only this choice has, or else the default. Generators ignore `not`, so that it does not affect their types.
 */
function selectionRules({ defaultKind }: PageContract, { kind, keys }: PageChoice): JsonSchema {
  const ofOthers = keys.filter(({ selects }) => selects !== kind && selects !== defaultKind)
  const rules =
    ofOthers.length === 0 ? {} : { dependentRequired: Object.fromEntries(ofOthers.map(({ key }) => [key, ['kind']])) }
  if (kind === defaultKind) return rules
  const selecting = ['kind', ...keys.flatMap(({ key, selects }) => (selects === kind ? [key] : []))]
  const noneOfThem = { type: 'object', properties: Object.fromEntries(selecting.map((key) => [key, nothing])) }
  return { ...rules, not: noneOfThem }
}

/** Moves defaults into descriptions: generators treat members of components with a default as always present. */
function withoutDefaults(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { default: value, ...schema }]) => [
      name,
      value === undefined
        ? schema
        : {
            ...schema,
            description: `${String(schema['description'])} Default: ${JSON.stringify(value)}.`,
            'x-default': value,
          },
    ]),
  )
}

function pageSchema(api: Api, page: PageChoice): JsonSchema {
  const isCursor = page.strategy === 'cursor' && isRegistered(api, cursorPaginationProfile)
  return {
    type: 'object',
    properties: keySchemas(page),
    additionalProperties: false,
    ...(isCursor ? { 'x-profile': cursorPaginationProfile.uri } : {}),
  }
}

/** Returns one parameter for each key. Kinds of a menu may have the same key, with schemas that differ only in bounds. */
function flatParameters(page: PageContract): readonly JsonSchema[] {
  const { isMenu, choices, defaultKind } = page
  const schemas = new Map<string, JsonSchema>()
  if (isMenu) {
    const kinds = choices.map(({ kind }) => kind)
    schemas.set('kind', { type: 'string', enum: kinds, 'x-default': defaultKind })
  }
  for (const choice of choices) {
    for (const [key, schema] of Object.entries(keySchemas(choice))) {
      const { maximum: _, ...open } = schema
      schemas.set(key, schemas.has(key) ? open : schema)
    }
  }
  return [...schemas].map(([key, schema]) => ({ name: `page[${key}]`, in: 'query', ...strategyOf(page), schema }))
}

function keySchemas(page: PageChoice): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(page.keys.map(({ name, key }) => [key, keySchema(name, page)]))
}

function keySchema(name: PageKey['name'], { strategy, size, maxSize }: PageChoice): JsonSchema {
  const maximum = maxSize > 0 ? { maximum: maxSize } : {}
  switch (name) {
    case 'number':
      return { type: 'integer', minimum: 1, default: 1, description: 'The number of the page.' }
    case 'offset':
      return { type: 'integer', minimum: 0, default: 0, description: 'How many resources come before the page.' }
    case 'size':
    case 'limit':
      return {
        type: 'integer',
        minimum: strategy === 'cursor' ? 1 : 0,
        ...maximum,
        default: size,
        description: 'How many resources the page has at most. A larger number counts as the maximum.',
      }
    case 'after':
      return { type: 'string', description: 'A cursor: the page begins after its resource.' }
    case 'before':
      return { type: 'string', description: 'A cursor: the page ends before its resource.' }
    case 'count':
      return { type: 'string', const: 'estimate', description: 'Adds `estimatedTotal` to `meta.page`.' }
  }
}

/** A list, how it is split into pages, and whether its total can be requested. */
export interface DescribedList {
  /** `null` if the list is shown whole. */
  readonly page: PageContract | null
  /** Whether the declaration lets clients request the total. */
  readonly countable: boolean
  /** The minimum size of the groups of an aggregate, if the list has groups. Default: 1. */
  readonly minGroupSize?: number
}

/** When a list has a total: in all documents, only on request, or in none. */
type Counting = 'always' | 'onDemand' | 'never'

/** Returns when a list has a total: always if it is shown whole, and never in a cursor page. */
function countingOf(api: Api, { page, countable: isCountable }: DescribedList): Counting {
  if (page === null) return 'always'
  const all = page.choices.map((choice) => countingOfPage(api, choice, isCountable))
  if (all.every((each) => each === 'always')) return 'always'
  return all.every((each) => each === 'never') ? 'never' : 'onDemand'
}

function countingOfPage(api: Api, page: PageChoice, isCountable: boolean): Counting {
  const { strategy, counted } = page
  if (strategy === 'cursor') return 'never'
  // An estimate takes the place of the total.
  if (counted) return isEstimable(page) ? 'onDemand' : 'always'
  return isCountable && isRegistered(api, countableProfile) ? 'onDemand' : 'never'
}

/** Whether a request may request an estimate of the total. */
export function isEstimable({ keys }: Pick<PageChoice, 'keys'>): boolean {
  return keys.some(({ name }) => name === 'count')
}

/** Whether a request may request the total of a list, and gets it. */
export function isCountedOnRequest({ page, countable: isCountable }: DescribedList): boolean {
  return isCountable && (page === null || page.choices.some(({ strategy }) => strategy !== 'cursor'))
}

const count: JsonSchema = Object.freeze({ type: 'integer', minimum: 0 })
const position: JsonSchema = Object.freeze({ type: ['integer', 'null'], minimum: 1 })
const total: JsonSchema = Object.freeze({ ...count, description: 'How many resources the collection has.' })

/** Returns the members of `meta` about groups that are left out. */
function groupSizes(minGroupSize: number): JsonSchema {
  return {
    minGroupSize: { const: minGroupSize, description: 'Groups of fewer resources are left out.' },
    hasSmallerGroups: { type: 'boolean', description: 'Whether groups were left out.' },
  }
}

/** Returns the schema of the `meta` of a collection. */
export function pageMeta(api: Api, list: DescribedList): JsonSchema {
  const { minGroupSize = 1 } = list
  const sizes = minGroupSize > 1 ? groupSizes(minGroupSize) : {}
  const counting = countingOf(api, list)
  const pages = list.page?.choices.map((choice) => strategyMeta(api, choice, list.countable)) ?? []
  const schemas = pages.filter((schema, index) => pages.findIndex((other) => isSame(schema, other)) === index)
  const page = anyOf(schemas)
  const required = [
    ...(list.page === null ? [] : ['page']),
    ...(counting === 'always' ? ['total'] : []),
    ...Object.keys(sizes),
  ]
  return {
    type: 'object',
    properties: { ...(list.page === null ? {} : { page }), ...(counting === 'never' ? {} : { total }), ...sizes },
    ...(required.length === 0 ? {} : { required }),
  }
}

/**
 * Returns the schema of the `meta` of linkage; `null` if nothing is known about it. The linkage of a request without page
 * parameters is shown whole and not counted, unless there are no pages.
 */
export function linkageMeta(api: Api, list: DescribedList, hasPages: boolean): JsonSchema | null {
  const isCounted = list.page === null || (hasPages && countingOf(api, list) !== 'never')
  const isCountable = list.countable && isRegistered(api, countableProfile)
  const properties = { ...(list.page?.choices.some(isEstimable) ? estimatedTotal(api) : {}), ...unlinked(api) }
  const page = hasPages && list.page !== null ? { page: { type: 'object', properties } } : null
  const counts = isCounted || isCountable ? { total } : null
  return page === null && counts === null ? null : { type: 'object', properties: { ...page, ...counts } }
}

/** Returns the member of `meta.page` with the pages that have no link. */
function unlinked({ components }: Api): Readonly<Record<string, JsonSchema>> {
  const description =
    'The pages that have no link because its URL would be too long, with their parameters: send them in a QUERY request, with all other parameters of this one.'
  const parameters = { type: 'object', additionalProperties: { type: 'string' } }
  const schema = (): JsonSchema => ({ type: 'object', description, additionalProperties: parameters })
  return { unlinked: components.schema('UnlinkedPages', schema) }
}

type Members = readonly [properties: JsonSchema, required: readonly string[], ofTotals: readonly string[]]

/** The members of `meta.page`. The last of them are present if the list is counted. */
const metaMembers: Readonly<Record<PageStrategy, Members>> = Object.freeze({
  page: [
    { currentPage: count, perPage: count, from: position, to: position },
    ['currentPage', 'perPage', 'from', 'to'],
    ['total', 'lastPage'],
  ],
  offset: [{ offset: count, limit: count, from: position, to: position }, ['offset', 'limit', 'from', 'to'], ['total']],
  fixed: [{ currentPage: count }, ['currentPage'], ['total', 'lastPage']],
  cursor: [
    {
      perPage: count,
      hasMore: { type: 'boolean' },
      from: { type: 'string', description: 'The id of the first resource.' },
      to: { type: 'string', description: 'The id of the last resource.' },
      rangeTruncated: { const: true, description: 'More resources lie between the two cursors.' },
    },
    ['perPage', 'hasMore'],
    [],
  ],
})

const metaNames: Readonly<Record<PageStrategy, string>> = Object.freeze({
  page: 'NumberPageMeta',
  offset: 'OffsetPageMeta',
  fixed: 'FixedPageMeta',
  cursor: 'CursorPageMeta',
})

const estimateSchema: JsonSchema = Object.freeze({
  type: 'object',
  description: 'How many resources the collection has, if `page[count]` requests an estimate.',
  properties: {
    bestGuess: { ...count, description: 'The estimate.' },
    atLeast: { ...count, description: 'The collection has at least so many resources.' },
    isExact: { type: 'boolean', description: 'Whether `bestGuess` is the exact total.' },
  },
  required: ['bestGuess', 'atLeast', 'isExact'],
})

/** Returns the member of `meta.page` with the estimate of the total. */
function estimatedTotal({ components }: Api): Readonly<Record<string, JsonSchema>> {
  return { estimatedTotal: components.schema('EstimatedTotal', () => estimateSchema) }
}

const metaPrefixes: Readonly<Record<Counting, string>> = Object.freeze({
  always: 'Counted',
  onDemand: 'Countable',
  never: '',
})

const ESTIMABLE = 'Estimable'

/** The names of the components of pages. */
export const pageMetaNames: readonly string[] = Object.freeze([
  ...Object.values(metaPrefixes).flatMap((prefix) =>
    Object.values(metaNames).flatMap((name) => [`${prefix}${name}`, `${ESTIMABLE}${prefix}${name}`]),
  ),
  'UnlinkedPages',
  'EstimatedTotal',
])

function strategyMeta(api: Api, choice: PageChoice, isCountable: boolean): JsonSchema {
  const { strategy } = choice
  const counting = countingOfPage(api, choice, isCountable)
  const hasEstimate = isEstimable(choice)
  return api.components.schema(`${hasEstimate ? ESTIMABLE : ''}${metaPrefixes[counting]}${metaNames[strategy]}`, () => {
    const [properties, required, ofTotals] = metaMembers[strategy]
    const totals = counting === 'never' ? [] : ofTotals
    return {
      type: 'object',
      properties: {
        ...properties,
        ...Object.fromEntries(totals.map((name) => [name, count])),
        ...(hasEstimate ? estimatedTotal(api) : {}),
        ...unlinked(api),
      },
      required: [...required, ...(counting === 'always' ? totals : [])],
    }
  })
}
