import * as fc from 'fast-check'
import { hasText, type Identity, rowOf, type WorldRelation, worldRelations, type World } from './music-graph.js'

/** Questions about the small world: documents that a client may request, and their expected content. */

/** A question as choices, which become names when the existing ones are known. */
interface Choices {
  readonly type: number
  /** Which of its resources; `null` for all. */
  readonly row: number | null
  /** Which of its relations; `null` for the resources themselves. */
  readonly relation: number | null
  readonly text: string | null
  readonly paths: readonly (readonly number[])[] | null
  readonly fieldsets: Readonly<Record<string, readonly string[]>>
  /** The query of relationships of the primary resources; `null` without the profiles that enable it. */
  readonly queried: {
    readonly queries: readonly QueryChoices[]
    readonly counts: readonly number[]
  } | null
}

interface QueryChoices extends RelatedQuestion {
  readonly relation: number
  /** The relation by which the first one is followed again, if something is included; `null` for none. */
  readonly again: number | null
}

const anyText = fc.option(fc.constantFrom('a', 'B', 'É', ' ', ''), { freq: 1 })

const anyFields = fc.subarray([
  'name',
  ...new Set(Object.values(worldRelations).flatMap((relations) => Object.keys(relations))),
])

const anyQuery: fc.Arbitrary<QueryChoices> = fc.record({
  relation: fc.nat(),
  text: anyText,
  reverse: fc.boolean(),
  again: fc.option(fc.nat(), { freq: 2 }),
})

export const anyChoices: fc.Arbitrary<Choices> = fc.record({
  type: fc.nat(),
  row: fc.option(fc.nat()),
  relation: fc.option(fc.nat(), { freq: 1 }),
  text: anyText,
  paths: fc.option(fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { maxLength: 4 }), { freq: 6 }),
  fieldsets: fc.dictionary(fc.constantFrom(...Object.keys(worldRelations)), anyFields, { maxKeys: 3 }),
  queried: fc.option(
    fc.record({
      queries: fc.array(anyQuery, { maxLength: 2 }),
      counts: fc.array(fc.nat(), { maxLength: 2 }),
    }),
    { freq: 3 },
  ),
})

/** The query of the members of a relationship of each primary resource. */
interface RelatedQuestion {
  readonly text: string | null
  readonly reverse: boolean
}

export interface Question {
  readonly address: string
  readonly query: readonly string[]
  readonly primary: readonly Identity[]
  readonly tree: Tree
  readonly fieldsets: ReadonlyMap<string, readonly string[]>
  readonly hasProfiles: boolean
  /** By the name of the relation. */
  readonly queries: ReadonlyMap<string, RelatedQuestion>
  readonly counted: ReadonlySet<string>
  /** The reads that come before anything is included. */
  readonly reads: readonly string[]
}

export type Tree = Map<string, Tree>

function chosen<T>(list: readonly T[], choice: number): T {
  const item = list[choice % list.length]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}

/** A question about the world; `null` where it is about a resource that is not there. */
export function questionOf(choices: Choices, world: World): Question | null {
  const { type: choice, row, relation, text, paths, fieldsets, queried } = choices
  const type = chosen(Object.keys(worldRelations), choice)
  const rows = (world[type] ?? []).map(({ id }): Identity => ({ type, id: String(id) }))
  const all = relation === null && row === null
  if (!all && rows.length === 0) return null
  const [name, relationOfType] =
    relation === null ? [null, null] : chosen(Object.entries(worldRelations[type] ?? {}), relation)
  const one = all ? null : chosen(rows, row ?? 0)
  const filter = (all || relationOfType?.targets.length === 1) && text !== null ? text : null
  const members = one === null || relationOfType === null ? null : relationOfType.members(rowOf(one, world), world)
  const primary = (members ?? (one === null ? rows : [one])).filter((resource) => hasText(resource, filter, world))
  const tree: Tree = new Map()
  const roots = relationOfType?.targets ?? [type]
  const queries = onePerName(queried?.queries.flatMap((query) => relatedQuestion(query, roots)) ?? [])
  const written =
    paths &&
    withReturns(
      paths.map((path) => namesAlong(path, roots)),
      queries,
    )
  for (const path of written ?? []) grow(tree, path)
  const sets = Object.entries(fieldsets).map(([of, fields]): [string, readonly string[]] => {
    return [of, fields.filter((field) => field === 'name' || worldRelations[of]?.[field] !== undefined)]
  })
  const counted = countedNames(queried?.counts ?? [], roots)
  return {
    address: `/${type}${one === null ? '' : `/${one.id}`}${name === null ? '' : `/${name}`}`,
    query: [
      ...(written === null ? [] : [`include=${written.map((path) => path.join('.')).join(',')}`]),
      ...(filter === null ? [] : [`filter[text]=${encodeURIComponent(filter)}`]),
      ...sets.map(([of, fields]) => `fields[${of}]=${fields.join(',')}`),
      ...queries.flatMap(relatedQueryOf),
      ...(counted.length === 0 ? [] : [`withCount=${counted.join(',')}`]),
    ],
    primary,
    tree,
    fieldsets: new Map(sets),
    hasProfiles: queried !== null,
    queries: new Map(queries.map((query) => [query.name, query])),
    // Names are of the relations of one type.
    counted: new Set(roots.length === 1 ? counted : []),
    reads:
      one === null ? [`fetchCollection ${type}`] : [`fetchOne ${type}`, ...(name === null ? [] : [`${type}.${name}`])],
  }
}

function relationsOf(types: readonly string[]): readonly (readonly [string, WorldRelation])[] {
  return types.flatMap((type) => Object.entries(worldRelations[type] ?? {}))
}

interface NamedQuestion extends RelatedQuestion {
  readonly name: string
  /** The path that follows the relation from primary resources that are met again, or none. */
  readonly again: readonly (readonly string[])[]
}

/** Relations to several types have no filters and sorts, and one member has no order. */
function relatedQuestion(
  { relation, text, reverse, again }: QueryChoices,
  roots: readonly string[],
): readonly NamedQuestion[] {
  const askable = relationsOf(roots).filter(([, { targets }]) => targets.length === 1)
  if (askable.length === 0) return []
  const [name, { toMany }] = chosen(askable, relation)
  const others = relationsOf(roots).filter(([other]) => other !== name)
  const returns = others.flatMap(([there, { targets }]) =>
    relationsOf(targets)
      .filter(([, back]) => back.targets.some((type) => roots.includes(type)))
      .map(([back]) => [there, back, name]),
  )
  const path = again === null || returns.length === 0 ? [] : [chosen(returns, again)]
  return [{ name, text, reverse: reverse && toMany, again: path }]
}

/** Two questions about one relation would be one. */
function onePerName(queries: readonly NamedQuestion[]): readonly NamedQuestion[] {
  return [...new Map(queries.map((query) => [query.name, query])).values()]
}

/** A relation that is followed again later is not followed immediately: it would be read by then. */
function withReturns(
  paths: readonly (readonly string[])[],
  queries: readonly NamedQuestion[],
): readonly (readonly string[])[] {
  const later = queries.filter(({ again }) => again.length > 0).map(({ name }) => name)
  return [...paths.filter(([first]) => !later.some((name) => name === first)), ...queries.flatMap(({ again }) => again)]
}

function relatedQueryOf({ name, text, reverse }: NamedQuestion): readonly string[] {
  return [
    ...(text === null ? [] : [`relatedQuery[${name}][filter][text]=${encodeURIComponent(text)}`]),
    ...(reverse ? [`rQ[${name}][sort]=-id`] : []),
  ]
}

function countedNames(counts: readonly number[], roots: readonly string[]): readonly string[] {
  const countable = relationsOf(roots).filter(([, { toMany }]) => toMany)
  return countable.length === 0 ? [] : [...new Set(counts.map((choice) => chosen(countable, choice)[0]))]
}

/** The members of a relationship in this document: a query applies to those of the primary resources, wherever they are reached. */
export function membersOf(
  resource: Identity,
  name: string,
  { primary, queries }: Question,
  world: World,
): readonly Identity[] {
  const members = worldRelations[resource.type]?.[name]?.members(rowOf(resource, world), world) ?? []
  const query = isAmong(primary, resource) ? queries.get(name) : undefined
  if (query === undefined) return members
  const matching = members.filter((member) => hasText(member, query.text, world))
  return query.reverse ? matching.toReversed() : matching
}

export function isAmong(resources: readonly Identity[], { type, id }: Identity): boolean {
  return resources.some((each) => each.type === type && each.id === id)
}

/** The path of names for choices, each known to some of the types that it starts from. */
function namesAlong(path: readonly number[], types: readonly string[]): readonly string[] {
  let at = types
  return path.map((choice) => {
    const name = chosen([...new Set(relationsOf(at).map(([known]) => known))], choice)
    at = [...new Set(at.flatMap((type) => worldRelations[type]?.[name]?.targets ?? []))]
    return name
  })
}

function grow(tree: Tree, path: readonly string[]): void {
  let branch = tree
  for (const name of path) {
    const next: Tree = branch.get(name) ?? new Map()
    branch.set(name, next)
    branch = next
  }
}
