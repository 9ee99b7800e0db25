import { buildNode } from './build-node.js'
import type { PageContract, ParameterContract, QueryContract } from './contract.js'
import type { ContractDocument } from './contract-document.js'
import { deprecationsIn } from './deprecation-of.js'
import type { JsonObject } from './json.js'
import { listIn, objectIn, textIn, textsIn } from './json.js'
import { readParameter } from './read-parameter.js'
import type { SchemaNode } from './schema-node.js'
import { schemaParts } from './schema-parts.js'

/** Whether a parameter is one that {@link readQuery} reads. */
export function isQueryParameter({ in: place, name }: JsonObject): boolean {
  return (
    place === 'query' &&
    /^(?:(?:filter|fields|withLinkage|page)(?:\[.*\])?|sort|include|withCount|relatedQuery)$/.test(String(name))
  )
}

/** Reads the query parameters of JSON:API. Fieldsets name the members of resources, and `relatedQuery` their relations: both are left out. */
export function readQuery(
  parameters: readonly JsonObject[],
  document: ContractDocument,
  pageMeta: readonly string[],
): QueryContract {
  const named = new Map(parameters.filter(isQueryParameter).map((each) => [String(each['name']), each]))
  const namesOf = (parameter: string): readonly string[] => {
    const { items } = schemaParts([named.get(parameter)?.['schema']], document)
    return textsIn(schemaParts(items, document).values)
  }
  const [sort, include] = [named.get('sort') ?? {}, named.get('include') ?? {}]
  const deprecated = deprecationsIn(objectIn(sort['x-deprecated']))
  const keys = [...new Set(namesOf('sort').map((key) => key.replace(/^-/, '')))]
  return {
    filters: filtersIn(named, document),
    sorts: new Map(keys.map((key) => [key, deprecated.get(key) ?? null])),
    defaultSort: textsIn(sort['x-default']),
    includes: namesOf('include'),
    hasLongerIncludes: include['x-longer-paths'] === true,
    defaultIncludes: textsIn(include['x-default']),
    linkage: linkageIn(named, namesOf),
    counts: namesOf('withCount'),
    page: pageIn(named, document, pageMeta),
  }
}

type Named = ReadonlyMap<string, JsonObject>

function filtersIn(named: Named, document: ContractDocument): ReadonlyMap<string, ParameterContract> {
  const filters = [...named].flatMap(([name, parameter]): readonly (readonly [string, ParameterContract])[] => {
    const key = /^filter\[(.*)\]$/.exec(name)?.[1]
    if (key === undefined) return []
    const read = readParameter(parameter, document)
    return [[key, { ...read, node: withoutListLimit(read.node) }]]
  })
  return new Map(filters)
}

/** How many values a filter may have is a limit of the server. */
function withoutListLimit(node: SchemaNode): SchemaNode {
  return { ...node, rules: new Map([...node.rules].filter(([keyword]) => keyword !== 'maxItems')) }
}

/** Where many types can be shown, one parameter lists the relations of all types. */
function linkageIn(named: Named, namesOf: (parameter: string) => readonly string[]): readonly string[] {
  const { properties } = objectIn(named.get('withLinkage')?.['schema'])
  const shared = Object.entries(objectIn(properties)).map(([type, schema]) => {
    return [type, (textIn(objectIn(schema)['description']) ?? '').split(', ')] as const
  })
  const own = [...named.keys()].flatMap((name) => {
    const type = /^withLinkage\[(.*)\]$/.exec(name)?.[1]
    return type === undefined ? [] : [[type, namesOf(name)] as const]
  })
  return [...shared, ...own].flatMap(([type, names]) => names.map((name) => `${type}.${name}`))
}

/** The members of `meta.page` that only one kind of pages has. */
const kindsByMeta: readonly (readonly [member: string, kind: string])[] = [
  ['.hasMore', 'cursor'],
  ['.offset', 'offset'],
  ['.currentPage', 'page'],
]

function pageIn(named: Named, document: ContractDocument, pageMeta: readonly string[]): PageContract | null {
  const page = named.get('page')
  const flat = [...named].flatMap(([name, { schema }]): readonly (readonly [string, unknown])[] => {
    const key = /^page\[(.*)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, schema]]
  })
  if (page === undefined && flat.length === 0) return null
  const schema = page === undefined ? { properties: Object.fromEntries(flat) } : objectIn(page['schema'])
  const menu = listIn(schema['oneOf'])
  const node = buildNode([schema], document, { kind: 'member', isRequired: false })
  const kind = node.children.get('.kind')
  const own = kindsByMeta.filter(([member]) => pageMeta.includes(member)).map(([, name]) => name)
  const isFixed = own.includes('page') && !pageMeta.includes('.perPage')
  if (menu.length === 0) {
    const kinds =
      kind === undefined ? own.map((name) => (isFixed && name === 'page' ? 'fixed' : name)) : textsIn(kind.values)
    return { kinds, defaultKind: textIn(kind?.rules.get('default')), keys: keysOf(node, '') }
  }
  const choices = [...node.children].map(([label, choice]) => [label.slice(1, -1), choice] as const)
  return {
    kinds: choices.map(([name]) => name),
    defaultKind: textIn(schema['x-default-kind']),
    keys: new Map(choices.flatMap(([name, choice]) => [...keysOf(choice, `${name}.`)])),
  }
}

/** Returns the keys of `page` with their nodes. The kind is not one of them. */
function keysOf({ children }: SchemaNode, prefix: string): ReadonlyMap<string, SchemaNode> {
  const keys = [...children].filter(([name]) => name.startsWith('.') && name !== '.kind')
  return new Map(keys.map(([name, node]) => [`${prefix}${name.slice(1)}`, node]))
}
