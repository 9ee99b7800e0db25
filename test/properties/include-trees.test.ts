import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import type { TestResource } from 'ashlar/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { countedData, type ProviderCall } from '../support/counted-data.js'
import { runs } from '../support/runs.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'
import { anyChoices, isAmong, membersOf, type Question, questionOf, type Tree } from './graph-question.js'
import { anyWorld, type Identity, musicServer, rowOf, worldRelations, type World } from './music-graph.js'

interface Walk {
  readonly included: ReadonlySet<string>
  /** The relationships that were followed, by resource and name. */
  readonly followed: ReadonlySet<string>
  /** On how many levels a relation is wanted of some resource. */
  readonly levels: ReadonlyMap<string, number>
}

/** The resources that a document must reach: the tree walked from the primary resources, level by level, over the plain rows. */
function walk(question: Question, world: World): Walk {
  const { primary, tree, fieldsets, hasProfiles } = question
  const [reached, followed, levels] = [new Set<string>(), new Set<string>(), new Map<string, number>()]
  let level = primary.map((resource) => ({ resource, branch: tree }))
  while (level.length > 0) {
    // Primary resources may have another query than others that are read at the same level.
    const wanted = { ofPrimary: new Set<string>(), ofOthers: new Set<string>() }
    const next = new Map<string, (typeof level)[number]>()
    for (const { resource, branch } of level) {
      const { type, id } = resource
      const reads = hasProfiles && isAmong(primary, resource) ? wanted.ofPrimary : wanted.ofOthers
      for (const [name, relationOfType] of Object.entries(worldRelations[type] ?? {})) {
        const isShown = fieldsets.get(type)?.includes(name) ?? true
        if (relationOfType.always && isShown) reads.add(`${type}.${name}`)
        const onwards = branch.get(name)
        if (onwards === undefined) continue
        reads.add(`${type}.${name}`)
        followed.add(`${type} ${id} ${name}`)
        for (const member of membersOf(resource, name, question, world)) {
          reached.add(`${member.type} ${member.id}`)
          next.set(`${member.type} ${member.id} ${pathTo(onwards, tree)}`, { resource: member, branch: onwards })
        }
      }
    }
    for (const relation of [...wanted.ofPrimary, ...wanted.ofOthers])
      levels.set(relation, (levels.get(relation) ?? 0) + 1)
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
function expectResource(resource: TestResource, question: Question, { followed }: Walk, world: World): void {
  const { type, id } = resource
  const { fieldsets, primary, counted } = question
  const fieldset = fieldsets.get(type)
  const isShown = (name: string): boolean => fieldset === undefined || fieldset.includes(name)
  const row = rowOf(resource, world)
  expect(resource.attributes ?? {}).toEqual(isShown('name') ? { name: row['name'] } : {})
  const linkage = Object.entries(worldRelations[type] ?? {})
    .filter(([name]) => isShown(name))
    .map(([name, { always, toMany }]) => {
      const identities = membersOf(resource, name, question, world)
      const total = counted.has(name) && isAmong(primary, resource) ? { total: identities.length } : undefined
      if (!always && !followed.has(`${type} ${id} ${name}`)) return [name, undefined, total]
      return [name, toMany ? identities : (identities[0] ?? null), total]
    })
  const shownRelationships = Object.entries(resource.relationships ?? {}).map(([name, { data, meta }]) => [
    name,
    data,
    meta,
  ])
  expect(shownRelationships).toEqual(linkage)
}

/** Every included resource is named by some linkage, unless a fieldset leaves out a relationship to it. */
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
      Object.entries(worldRelations[of] ?? {}).some(
        ([name, { targets }]) => !fields.includes(name) && targets.includes(type),
      ),
    )
  expect(shown(included.filter((resource) => !isLeftOut(resource))).filter((resource) => !named.has(resource))).toEqual(
    [],
  )
}

/** One read of the primary resources, then one per count, and at most one per relation, level and query. */
function expectCost(all: readonly ProviderCall[], { reads, counted }: Question, { levels }: Walk): void {
  const calls = all.filter(({ method }) => method !== 'countRelated')
  expect(all.length - calls.length).toBeLessThanOrEqual(counted.size)
  const calledReads = calls.map(({ type, method, relation }) =>
    relation === undefined ? `${method} ${type}` : `${type}.${relation}`,
  )
  expect(calledReads.slice(0, reads.length)).toEqual(reads)
  const counts = new Map<string, number>()
  for (const relation of calledReads.slice(reads.length)) counts.set(relation, (counts.get(relation) ?? 0) + 1)
  const tooMany = [...counts].filter(([relation, count]) => count > (levels.get(relation) ?? 0))
  expect(tooMany).toEqual([])
}

const headers = {
  accept: `application/vnd.api+json; profile="${relationshipQueriesProfile.uri} ${countableProfile.uri}"`,
}

test('documents include the resources that a walk over the rows reaches, linked in full, once each, with one read per relation and level', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorld, fc.array(anyChoices, { minLength: 1, maxLength: 8 }), async (world, questions) => {
      const { data, calls } = countedData(storedData(world))
      const api = client(musicServer(data))
      for (const choices of questions) {
        const question = questionOf(choices, world)
        if (question === null) continue
        calls.length = 0
        const path = [question.address, question.query.join('&')].join('?')
        const { status, document } = await api.get(path, question.hasProfiles ? { headers } : {})
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
    { numRuns: runs(120) },
  )
})
