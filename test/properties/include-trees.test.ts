import { memoryData } from 'ashlar/memory'
import type { TestResource } from 'ashlar/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { countedData, type ProviderCall } from '../support/counted-data.js'
import { shown } from '../support/shown.js'
import { anyWorld, hasText, type Identity, musicServer, rowOf, ways, type World } from './music-graph.js'

/** What is asked, as choices that become names once it is known which there are. */
interface Choices {
  readonly type: number
  /** Which of its resources; `null` for all. */
  readonly row: number | null
  /** Which of its relations; `null` for the resources themselves. */
  readonly relation: number | null
  readonly text: string | null
  readonly paths: readonly (readonly number[])[] | null
  readonly fieldsets: Readonly<Record<string, readonly string[]>>
}

const anyFields = fc.subarray(['name', ...new Set(Object.values(ways).flatMap((relations) => Object.keys(relations)))])

const anyChoices: fc.Arbitrary<Choices> = fc.record({
  type: fc.nat(),
  row: fc.option(fc.nat()),
  relation: fc.option(fc.nat(), { freq: 1 }),
  text: fc.option(fc.constantFrom('a', 'B', 'É', ' ', ''), { freq: 1 }),
  paths: fc.option(fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { maxLength: 4 }), { freq: 6 }),
  fieldsets: fc.dictionary(fc.constantFrom(...Object.keys(ways)), anyFields, { maxKeys: 3 }),
})

interface Question {
  readonly address: string
  readonly query: readonly string[]
  readonly primary: readonly Identity[]
  readonly tree: Tree
  readonly fieldsets: ReadonlyMap<string, readonly string[]>
  /** The reads that come before anything is included. */
  readonly reads: readonly string[]
}

type Tree = Map<string, Tree>

function chosen<T>(list: readonly T[], choice: number): T {
  const item = list[choice % list.length]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}

/** A question about the world; `null` where it is about a resource that is not there. */
function questionOf({ type: choice, row, relation, text, paths, fieldsets }: Choices, world: World): Question | null {
  const type = chosen(Object.keys(ways), choice)
  const rows = (world[type] ?? []).map(({ id }): Identity => ({ type, id: String(id) }))
  const all = relation === null && row === null
  if (!all && rows.length === 0) return null
  const [name, way] = relation === null ? [null, null] : chosen(Object.entries(ways[type] ?? {}), relation)
  const one = all ? null : chosen(rows, row ?? 0)
  const filter = (all || way?.targets.length === 1) && text !== null ? text : null
  const members = one === null || way === null ? null : way.members(rowOf(one, world), world)
  const primary = (members ?? (one === null ? rows : [one])).filter((resource) => hasText(resource, filter, world))
  const tree: Tree = new Map()
  const written = paths?.map((path) => grow(tree, way?.targets ?? [type], path))
  const sets = Object.entries(fieldsets).map(([of, fields]): [string, readonly string[]] => {
    return [of, fields.filter((field) => field === 'name' || ways[of]?.[field] !== undefined)]
  })
  return {
    address: `/${type}${one === null ? '' : `/${one.id}`}${name === null ? '' : `/${name}`}`,
    query: [
      ...(written === undefined ? [] : [`include=${written.join(',')}`]),
      ...(filter === null ? [] : [`filter[text]=${encodeURIComponent(filter)}`]),
      ...sets.map(([of, fields]) => `fields[${of}]=${fields.join(',')}`),
    ],
    primary,
    tree,
    fieldsets: new Map(sets),
    reads:
      one === null ? [`fetchCollection ${type}`] : [`fetchOne ${type}`, ...(name === null ? [] : [`${type}.${name}`])],
  }
}

/** Adds a path of names that some of the types know to the tree; answers it as it is written. */
function grow(tree: Tree, types: readonly string[], path: readonly number[]): string {
  const names: string[] = []
  let [branch, at] = [tree, types]
  for (const choice of path) {
    const name = chosen([...new Set(at.flatMap((type) => Object.keys(ways[type] ?? {})))], choice)
    names.push(name)
    const next: Tree = branch.get(name) ?? new Map()
    branch.set(name, next)
    branch = next
    at = [...new Set(at.flatMap((type) => ways[type]?.[name]?.targets ?? []))]
  }
  return names.join('.')
}

interface Walk {
  readonly included: ReadonlySet<string>
  /** The relationships that were followed, by resource and name. */
  readonly followed: ReadonlySet<string>
  /** On how many levels a relation is wanted of some resource. */
  readonly levels: ReadonlyMap<string, number>
}

/** What a document must reach: the tree walked from the primary resources, level by level, over the plain rows. */
function walk({ primary, tree, fieldsets }: Question, world: World): Walk {
  const [reached, followed, levels] = [new Set<string>(), new Set<string>(), new Map<string, number>()]
  let level = primary.map((resource) => ({ resource, branch: tree }))
  while (level.length > 0) {
    const wanted = new Set<string>()
    const next = new Map<string, (typeof level)[number]>()
    for (const { resource, branch } of level) {
      const { type, id } = resource
      for (const [name, way] of Object.entries(ways[type] ?? {})) {
        const isShown = fieldsets.get(type)?.includes(name) ?? true
        if (way.always && isShown) wanted.add(`${type}.${name}`)
        const onwards = branch.get(name)
        if (onwards === undefined) continue
        wanted.add(`${type}.${name}`)
        followed.add(`${type} ${id} ${name}`)
        for (const member of way.members(rowOf(resource, world), world)) {
          reached.add(`${member.type} ${member.id}`)
          next.set(`${member.type} ${member.id} ${pathTo(onwards, tree)}`, { resource: member, branch: onwards })
        }
      }
    }
    for (const relation of wanted) levels.set(relation, (levels.get(relation) ?? 0) + 1)
    level = [...next.values()]
  }
  for (const resource of shown(primary)) reached.delete(resource)
  return { included: reached, followed, levels }
}

function pathTo(branch: Tree, tree: Tree, at = ''): string | null {
  if (branch === tree) return at
  for (const [name, next] of tree) {
    const found = pathTo(branch, next, `${at}.${name}`)
    if (found !== null) return found
  }
  return null
}

/** The members that a resource must show, and nothing else. */
function expectResource(resource: TestResource, { fieldsets }: Question, { followed }: Walk, world: World): void {
  const { type, id } = resource
  const fieldset = fieldsets.get(type)
  const isShown = (name: string): boolean => fieldset === undefined || fieldset.includes(name)
  const row = rowOf(resource, world)
  expect(resource.attributes ?? {}).toEqual(isShown('name') ? { name: row['name'] } : {})
  const linkage = Object.entries(ways[type] ?? {})
    .filter(([name]) => isShown(name))
    .map(([name, { always, toMany, members }]) => {
      if (!always && !followed.has(`${type} ${id} ${name}`)) return [name, undefined]
      const identities = members(row, world)
      return [name, toMany ? identities : (identities[0] ?? null)]
    })
  const told = Object.entries(resource.relationships ?? {}).map(([name, { data }]) => [name, data])
  expect(told).toEqual(linkage)
}

/** Every included resource is named by some linkage, unless a fieldset leaves out a relationship that leads to it. */
function expectFullLinkage(
  resources: readonly TestResource[],
  included: readonly TestResource[],
  { fieldsets }: Question,
): void {
  const linkage = resources
    .flatMap(({ relationships }) => Object.values(relationships ?? {}))
    .flatMap(({ data }) => data ?? [])
  const named = new Set(shown(linkage))
  const isLeftOut = ({ type }: Identity): boolean =>
    [...fieldsets].some(([of, fields]) =>
      Object.entries(ways[of] ?? {}).some(([name, { targets }]) => !fields.includes(name) && targets.includes(type)),
    )
  expect(shown(included.filter((resource) => !isLeftOut(resource))).filter((resource) => !named.has(resource))).toEqual(
    [],
  )
}

/** One read of the primary resources, then at most one read per relation and level. */
function expectCost(calls: readonly ProviderCall[], { reads }: Question, { levels }: Walk): void {
  const told = calls.map(({ type, method, relation }) =>
    relation === undefined ? `${method} ${type}` : `${type}.${relation}`,
  )
  expect(told.slice(0, reads.length)).toEqual(reads)
  const counts = new Map<string, number>()
  for (const relation of told.slice(reads.length)) counts.set(relation, (counts.get(relation) ?? 0) + 1)
  const tooMany = [...counts].filter(([relation, count]) => count > (levels.get(relation) ?? 0))
  expect(tooMany).toEqual([])
}

test('documents include what a walk over the rows reaches, linked in full, once each, at one read per relation and level', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorld, fc.array(anyChoices, { minLength: 1, maxLength: 8 }), async (world, asked) => {
      const { data, calls } = countedData(memoryData(world))
      const api = client(musicServer(data))
      for (const choices of asked) {
        const question = questionOf(choices, world)
        if (question === null) continue
        calls.length = 0
        const { status, document } = await api.get([question.address, question.query.join('&')].join('?'))
        expect(status).toBe(200)
        const walked = walk(question, world)
        const primary = [document?.data ?? []].flat()
        const included = document?.included ?? []
        expect(shown(primary)).toEqual(shown(question.primary))
        expect(shown(included).toSorted()).toEqual([...walked.included].toSorted())
        for (const resource of [...primary, ...included]) expectResource(resource, question, walked, world)
        expectFullLinkage([...primary, ...included], included, question)
        expectCost(calls, question, walked)
      }
    }),
    { numRuns: 120 },
  )
}, 30_000)
