import { choicesOf, choosePaginator, defaultChoice, pageKeyNames } from '../../declare/pagination/choose-paginator.js'
import type { AnyPaginator, PageKeys, PageMenu, PageStrategy, Paginator } from '../../declare/pagination/paginator.js'
import { countableProfile, cursorPaginationProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import { isSame, nothing } from './merged-schema.js'
import { isRegistered } from './registered-profile.js'

/** Returns the parameters that select a page: one parameter, or one for each key. */
export function pageParameters(api: Api, paginator: AnyPaginator): readonly JsonSchema[] {
  if (api.server.settings.pageParameters === 'flat') return flatParameters(paginator)
  return [
    {
      name: 'page',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description: descriptionOf(paginator),
      ...strategyOf(paginator),
      schema: paginator.strategy === 'menu' ? menuSchema(api, paginator) : onePage(api, paginator),
    },
  ]
}

/** Returns the strategy of pages; nothing for a menu, whose kinds are in the schema. */
function strategyOf({ strategy }: AnyPaginator): JsonSchema {
  return strategy === 'menu' ? {} : { 'x-strategy': strategy }
}

/** In documents of many types, collections with equal pages have the schema in common. */
function onePage(api: Api, paginator: Paginator): JsonSchema {
  const schema = pageSchema(api, paginator)
  return api.isCompact ? api.components.schema(api.names.ofPage(paginator.kind, schema), () => schema) : schema
}

function descriptionOf(paginator: AnyPaginator): string {
  const sentence = 'The page of the collection.'
  if (paginator.strategy !== 'menu') return sentence
  return `${sentence} Without \`kind\`, a key that only one kind has selects it, or else it is \`${defaultChoice(paginator).kind}\`.`
}

function menuSchema(api: Api, menu: PageMenu): JsonSchema {
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
    },
    'x-default-kind': defaultChoice(menu).kind,
  }
}

/**
 * Returns the keywords that let a page match only the choice of a menu that it selects. A page without `kind` selects a choice by a key that
 * only this choice has, or else the default. Generators ignore `not`, so that it does not affect their types.
 */
function selectionRules(menu: PageMenu, choice: Paginator): JsonSchema {
  const selectedBy = (key: string): string => choosePaginator(menu, new Map([[key, '1']])).kind
  const keys = pageKeyNames[choice.strategy].map((name) => choice.keys[name])
  const ofOthers = keys.filter((key) => ![choice.kind, defaultChoice(menu).kind].includes(selectedBy(key)))
  const rules =
    ofOthers.length === 0 ? {} : { dependentRequired: Object.fromEntries(ofOthers.map((key) => [key, ['kind']])) }
  if (choice.kind === defaultChoice(menu).kind) return rules
  const selecting = ['kind', ...keys.filter((key) => selectedBy(key) === choice.kind)]
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

function pageSchema(api: Api, paginator: Paginator): JsonSchema {
  const isCursor = paginator.strategy === 'cursor' && isRegistered(api, cursorPaginationProfile)
  return {
    type: 'object',
    properties: keySchemas(paginator),
    additionalProperties: false,
    ...(isCursor ? { 'x-profile': cursorPaginationProfile.uri } : {}),
  }
}

/** Returns one parameter for each key. Kinds of a menu may have the same key, with schemas that differ only in bounds. */
function flatParameters(paginator: AnyPaginator): readonly JsonSchema[] {
  const schemas = new Map<string, JsonSchema>()
  const choices = choicesOf(paginator)
  if (paginator.strategy === 'menu') {
    const kinds = choices.map(({ kind }) => kind)
    schemas.set('kind', { type: 'string', enum: kinds, 'x-default': defaultChoice(paginator).kind })
  }
  for (const choice of choices) {
    for (const [key, schema] of Object.entries(keySchemas(choice))) {
      const { maximum: _, ...open } = schema
      schemas.set(key, schemas.has(key) ? open : schema)
    }
  }
  return [...schemas].map(([key, schema]) => ({ name: `page[${key}]`, in: 'query', ...strategyOf(paginator), schema }))
}

function keySchemas(paginator: Paginator): Readonly<Record<string, JsonSchema>> {
  const { strategy, keys } = paginator
  return Object.fromEntries(pageKeyNames[strategy].map((name) => [keys[name], keySchema(name, paginator)]))
}

function keySchema(name: keyof PageKeys, { strategy, size, maxSize }: Paginator): JsonSchema {
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
  }
}

/** A list, how it is split into pages, and whether its total can be requested. */
export interface DescribedList {
  /** `null` if the list is shown whole. */
  readonly paginator: AnyPaginator | null
  /** Whether the declaration lets clients request the total. */
  readonly countable: boolean
}

/** When a list has a total: in all documents, only on request, or in none. */
type Counting = 'always' | 'onDemand' | 'never'

/** Returns when a list has a total: always if it is shown whole, and never in a cursor page. */
function countingOf(api: Api, { paginator, countable: isCountable }: DescribedList): Counting {
  if (paginator === null) return 'always'
  const all = choicesOf(paginator).map((choice) => countingOfPage(api, choice, isCountable))
  if (all.every((each) => each === 'always')) return 'always'
  return all.every((each) => each === 'never') ? 'never' : 'onDemand'
}

function countingOfPage(api: Api, { strategy, counted }: Paginator, isCountable: boolean): Counting {
  if (strategy === 'cursor') return 'never'
  if (counted) return 'always'
  return isCountable && isRegistered(api, countableProfile) ? 'onDemand' : 'never'
}

/** Whether a request may request the total of a list, and gets it. */
export function isCountedOnRequest({ paginator, countable: isCountable }: DescribedList): boolean {
  return isCountable && (paginator === null || choicesOf(paginator).some(({ strategy }) => strategy !== 'cursor'))
}

const count: JsonSchema = Object.freeze({ type: 'integer', minimum: 0 })
const position: JsonSchema = Object.freeze({ type: ['integer', 'null'], minimum: 1 })
const total: JsonSchema = Object.freeze({ ...count, description: 'How many resources the collection has.' })

/** Returns the schema of the `meta` of a collection. */
export function pageMeta(api: Api, list: DescribedList): JsonSchema {
  const { paginator } = list
  const counting = countingOf(api, list)
  const pages =
    paginator === null ? [] : choicesOf(paginator).map((choice) => strategyMeta(api, choice, list.countable))
  const schemas = pages.filter((schema, index) => pages.findIndex((other) => isSame(schema, other)) === index)
  const [only] = schemas
  const page = schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  const required = [...(paginator === null ? [] : ['page']), ...(counting === 'always' ? ['total'] : [])]
  return {
    type: 'object',
    properties: { ...(paginator === null ? {} : { page }), ...(counting === 'never' ? {} : { total }) },
    ...(required.length === 0 ? {} : { required }),
  }
}

/**
 * Returns the schema of the `meta` of linkage; `null` if nothing is known about it. The linkage of a request without page
 * parameters is shown whole and not counted, unless there are no pages.
 */
export function linkageMeta(api: Api, list: DescribedList, hasPages: boolean): JsonSchema | null {
  const isCounted = list.paginator === null || (hasPages && countingOf(api, list) !== 'never')
  const isCountable = list.countable && isRegistered(api, countableProfile)
  if (!isCounted && !isCountable) return null
  const page = hasPages && list.paginator !== null ? { page: { type: 'object', properties: unlinked(api) } } : null
  return { type: 'object', properties: { ...page, total } }
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

const metaPrefixes: Readonly<Record<Counting, string>> = Object.freeze({
  always: 'Counted',
  onDemand: 'Countable',
  never: '',
})

/** The names of the components of pages. */
export const pageMetaNames: readonly string[] = Object.freeze([
  ...Object.values(metaPrefixes).flatMap((prefix) => Object.values(metaNames).map((name) => `${prefix}${name}`)),
  'UnlinkedPages',
])

function strategyMeta(api: Api, paginator: Paginator, isCountable: boolean): JsonSchema {
  const { strategy } = paginator
  const counting = countingOfPage(api, paginator, isCountable)
  return api.components.schema(`${metaPrefixes[counting]}${metaNames[strategy]}`, () => {
    const [properties, required, ofTotals] = metaMembers[strategy]
    const totals = counting === 'never' ? [] : ofTotals
    return {
      type: 'object',
      properties: { ...properties, ...Object.fromEntries(totals.map((name) => [name, count])), ...unlinked(api) },
      required: [...required, ...(counting === 'always' ? totals : [])],
    }
  })
}
