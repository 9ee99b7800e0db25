import type { Finding } from '../compare/change.js'
import type { ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { listDifference, operationPairs } from '../compare/contract-rule.js'
import { relationOf } from '../compare/relation-of.js'
import { placeOfQuery } from '../compare/query-place.js'
import type { Contract, QueryContract } from '../model/contract.js'
import type { StatedDeprecation } from '../model/deprecation-of.js'

/** Compares include paths. Those over a relation that is new or gone are not listed, nor longer ones than one that is listed. */
export const includes: ContractRule = (sides) => operationPairs(sides).flatMap((pair) => pathFindings(pair, sides))

function pathFindings(pair: OperationPair, sides: Sides): readonly Finding[] {
  const [old, recent] = [pair.before.query, pair.after.query]
  const { subject } = pair.before
  const finding = (code: Finding['code'], path: string, says: string): Finding => {
    const { place, of } = placeOfQuery(pair.before, path === '' ? '?include' : `?include=${path}`)
    const name = path === '' ? `Include paths${of}` : `The include path '${path}'${of}`
    return { ...place, code, sentence: `${name} ${says}`, deprecation: deprecationAlong(path, subject, sides.before) }
  }
  const { added, removed } = listDifference(old.includes, recent.includes)
  const lost = removed.filter(
    (path) => !isUnlisted(path, recent) && !isOverMissing(path, subject, sides.before, sides.after),
  )
  const gained = added.filter(
    (path) => !isUnlisted(path, old) && !isOverMissing(path, subject, sides.after, sides.before),
  )
  const depth = depthOf(recent)
  const isShorter = lost.length > 0 && lost.every((path) => levels(path) > depth) && depth > 0
  // Without a path that is gone, only those that were not listed are.
  const isLimited = old.hasLongerIncludes && !recent.hasLongerIncludes && removed.length === 0 && depth > 0
  return [
    ...(isShorter || isLimited ? [finding('include-depth-reduced', '', `have at most ${levelText(depth)}.`)] : []),
    ...(isShorter ? [] : shortest(lost).map((path) => finding('include-removed', path, 'is gone.'))),
    ...shortest(gained).map((path) => finding('include-added', path, 'is new.')),
    ...(old.defaultIncludes.join() === recent.defaultIncludes.join() ? [] : [defaultFinding(pair)]),
  ]
}

function defaultFinding(pair: OperationPair): Finding {
  const { place, of } = placeOfQuery(pair.before, '?include')
  const [old, recent] = [pair.before.query.defaultIncludes, pair.after.query.defaultIncludes].map(listText)
  const sentence = `Without include, documents${of} include ${recent} instead of ${old}.`
  return { ...place, code: 'default-includes-changed', sentence }
}

function listText(paths: readonly string[]): string {
  return paths.length === 0 ? 'nothing' : paths.join(', ')
}

function levels(path: string): number {
  return path.split('.').length
}

function levelText(depth: number): string {
  return `${depth} level${depth === 1 ? '' : 's'}`
}

function depthOf({ includes: paths }: QueryContract): number {
  return Math.max(0, ...paths.map(levels))
}

/** Whether a path may be one of those that a document does not list, because there are too many. */
function isUnlisted(path: string, query: QueryContract): boolean {
  return query.hasLongerIncludes && levels(path) > depthOf(query)
}

function shortest(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)))
}

/** The steps of a path, each with the types that may have its relation. */
function stepsOf(
  path: string,
  start: string | null,
  contract: Contract,
): readonly (readonly [relation: string, owners: readonly string[]])[] {
  let owners = start === null ? [] : [start]
  return path.split('.').map((relation) => {
    const own = owners.filter((type) => targetsOf(type, relation, contract).length > 0)
    owners = [...new Set(own.flatMap((type) => targetsOf(type, relation, contract)))]
    return [relation, own]
  })
}

function targetsOf(type: string, relation: string, contract: Contract): readonly string[] {
  return relationOf(contract, type, relation)?.linkage?.targets ?? []
}

/** Whether a path of one contract leads over a relation that the other has not. */
function isOverMissing(path: string, start: string | null, contract: Contract, other: Contract): boolean {
  return stepsOf(path, start, contract).some(
    ([relation, owners]) => owners.length > 0 && owners.every((type) => relationOf(other, type, relation) === null),
  )
}

/** The deprecation of the first deprecated relation on a path. */
function deprecationAlong(path: string, start: string | null, contract: Contract): StatedDeprecation | null {
  const along = stepsOf(path, start, contract).flatMap(([relation, owners]) =>
    owners.flatMap((type) => relationOf(contract, type, relation)?.deprecation ?? []),
  )
  return along[0] ?? null
}
