import { buildNode } from './build-node.js'
import type { PageContract, ParameterContract, QueryContract } from './contract.js'
import type { ContractDocument } from './contract-document.js'
import { deprecationsIn } from './deprecation-of.js'
import type { JsonObject } from './json.js'
import { objectIn, textIn, textsIn } from './json.js'
import { readParameter } from './read-parameter.js'
import type { SchemaNode } from './schema-node.js'
import { schemaParts } from './schema-parts.js'

/** Returns whether {@link readQuery} reads a parameter. */
export function isQueryParameter({ in: place, name }: JsonObject): boolean {
  return (
    place === 'query' &&
    /^(?:(?:filter|fields|withLinkage|page)(?:\[.*\])?|sort|include|withCount|relatedQuery)$/.test(String(name))
  )
}

/** Reads the query parameters of JSON:API. Fieldsets and `relatedQuery` are not read: they only name members of resources. */
export function readQuery(parameters: readonly JsonObject[], document: ContractDocument): QueryContract {
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
    linkage: linkageIn(named, document, namesOf),
    counts: namesOf('withCount'),
    page: pageIn(named, document),
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

/** Removes the maximum number of values of a filter, which is a limit of the server. */
function withoutListLimit(node: SchemaNode): SchemaNode {
  return { ...node, rules: new Map([...node.rules].filter(([keyword]) => keyword !== 'maxItems')) }
}

/** Returns the relations that `withLinkage[type]` may name. */
function linkageIn(
  named: Named,
  document: ContractDocument,
  namesOf: (parameter: string) => readonly string[],
): readonly string[] {
  const shared = named.get('withLinkage')
  // All operations share this parameter.
  if (shared !== undefined) return document.once('shared linkage', () => sharedLinkage(shared))
  return [...named.keys()].flatMap((name) => {
    const type = /^withLinkage\[(.*)\]$/.exec(name)?.[1]
    return type === undefined ? [] : namesOf(name).map((relation) => `${type}.${relation}`)
  })
}

/** With many types, one parameter lists the relations of all types. */
function sharedLinkage({ schema }: JsonObject): readonly string[] {
  return Object.entries(objectIn(objectIn(schema)['properties'])).flatMap(([type, listed]) =>
    textsIn(objectIn(listed)['x-names']).map((relation) => `${type}.${relation}`),
  )
}

function pageIn(named: Named, document: ContractDocument): PageContract | null {
  const flat = [...named].flatMap(([name, parameter]): readonly (readonly [string, JsonObject])[] => {
    const key = /^page\[(.*)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, parameter]]
  })
  const page = named.get('page') ?? flat[0]?.[1]
  if (page === undefined) return null
  const properties = Object.fromEntries(flat.map(([key, parameter]) => [key, parameter['schema']]))
  const schema = flat.length === 0 ? objectIn(page['schema']) : { properties }
  const node = buildNode([schema], document, { kind: 'member', isRequired: false })
  if (Array.isArray(schema['oneOf'])) return menuOf(node, textIn(schema['x-default-kind']))
  const kind = node.children.get('.kind')
  return {
    kinds: kind === undefined ? [String(page['x-strategy'])] : textsIn(kind.values),
    defaultKind: textIn(kind?.rules.get('default')),
    keys: keysOf(node, ''),
  }
}

/** Each kind of a menu has its own keys. */
function menuOf({ children }: SchemaNode, defaultKind: string | null): PageContract {
  const choices = [...children].map(([label, choice]) => [label.slice(1, -1), choice] as const)
  return {
    kinds: choices.map(([name]) => name),
    defaultKind,
    keys: new Map(choices.flatMap(([name, choice]) => [...keysOf(choice, `${name}.`)])),
  }
}

/** Returns the keys of `page` with their nodes, without the kind. */
function keysOf({ children }: SchemaNode, prefix: string): ReadonlyMap<string, SchemaNode> {
  const keys = [...children].filter(([name]) => name.startsWith('.') && name !== '.kind')
  return new Map(keys.map(([name, node]) => [`${prefix}${name.slice(1)}`, node]))
}
