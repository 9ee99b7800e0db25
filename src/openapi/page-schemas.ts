import { defaultChoice, pageKeyNames } from '../pagination/choose-paginator.js'
import type { AnyPaginator, PageKeys, PageMenu, PageStrategy, Paginator } from '../pagination/paginator.js'
import { cursorPagination } from '../profiles/profile.js'
import type { JsonSchema } from '../resource/json-schema.js'
import type { Api } from './described-server.js'

/** Returns the choices of a menu, or the paginator itself. */
export function choicesOf(paginator: AnyPaginator): readonly Paginator[] {
  return paginator.strategy === 'menu' ? paginator.choices : [paginator]
}

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
      schema: paginator.strategy === 'menu' ? menuSchema(api, paginator) : pageSchema(api, paginator),
    },
  ]
}

/** A client may select a kind by a key that only one kind reads, too. A discriminator has to be there. */
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
    const named = { ...schema, title: choice.kind, properties, required: ['kind'] }
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

/** Generators take members of components with a default for members that are always there. So their descriptions say the default. */
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

function pageSchema({ server: { profiles } }: Api, paginator: Paginator): JsonSchema {
  const isCursor = paginator.strategy === 'cursor' && profiles.some(({ uri }) => uri === cursorPagination.uri)
  return {
    type: 'object',
    properties: keySchemas(paginator),
    additionalProperties: false,
    ...(isCursor ? { 'x-profile': cursorPagination.uri } : {}),
  }
}

/** A menu may have several kinds with the same key, whose schemas then differ in bounds only. */
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
  return [...schemas].map(([key, schema]) => ({ name: `page[${key}]`, in: 'query', schema }))
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

/** Returns the schema of the `meta` of a collection. */
export function pageMeta(api: Api, paginator: AnyPaginator | null): JsonSchema {
  const total = { type: 'integer', minimum: 0, description: 'How many resources the collection has.' }
  if (paginator === null) return { type: 'object', properties: { total } }
  const strategies = [...new Set(choicesOf(paginator).map(({ strategy }) => strategy))]
  const schemas = strategies.map((strategy) => strategyMeta(api, strategy))
  const [only] = schemas
  const page = schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
  return { type: 'object', properties: { page, total } }
}

const count: JsonSchema = Object.freeze({ type: 'integer', minimum: 0 })
const position: JsonSchema = Object.freeze({ type: ['integer', 'null'], minimum: 1 })

const metaMembers: Readonly<Record<PageStrategy, readonly [properties: JsonSchema, required: readonly string[]]>> =
  Object.freeze({
    page: [
      { currentPage: count, perPage: count, from: position, to: position, total: count, lastPage: count },
      ['currentPage', 'perPage', 'from', 'to'],
    ],
    offset: [
      { offset: count, limit: count, from: position, to: position, total: count },
      ['offset', 'limit', 'from', 'to'],
    ],
    fixed: [{ currentPage: count, total: count, lastPage: count }, ['currentPage']],
    cursor: [
      {
        perPage: count,
        hasMore: { type: 'boolean' },
        from: { type: 'string', description: 'The id of the first resource.' },
        to: { type: 'string', description: 'The id of the last resource.' },
        rangeTruncated: { const: true, description: 'More resources lie between the two cursors.' },
      },
      ['perPage', 'hasMore'],
    ],
  })

const metaNames: Readonly<Record<PageStrategy, string>> = Object.freeze({
  page: 'NumberPageMeta',
  offset: 'OffsetPageMeta',
  fixed: 'FixedPageMeta',
  cursor: 'CursorPageMeta',
})

/** The names of the components of pages. */
export const pageMetaNames: readonly string[] = Object.freeze(Object.values(metaNames))

function strategyMeta({ components }: Api, strategy: PageStrategy): JsonSchema {
  const [properties, required] = metaMembers[strategy]
  return components.schema(metaNames[strategy], () => ({ type: 'object', properties, required: [...required] }))
}
