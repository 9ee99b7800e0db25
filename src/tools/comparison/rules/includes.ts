import type { Finding } from '../compare/change.js'
import type { ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { listDifference, operationPairs } from '../compare/contract-rule.js'
import { relationOf } from '../compare/relation-of.js'
import { placeOfQuery } from '../compare/query-place.js'
import type { Contract, QueryContract } from '../model/contract.js'
import type { StatedDeprecation } from '../model/deprecation-of.js'

/** Compares include paths. Paths through a new or removed relation are not listed, and of several paths only the shortest. */
export const includes: ContractRule = (sides) => operationPairs(sides).flatMap((pair) => pathFindings(pair, sides))

function pathFindings(pair: OperationPair, sides: Sides): readonly Finding[] {
  const [old, newer] = [pair.before.query, pair.after.query]
  const { subject } = pair.before
  const finding = (code: Finding['code'], path: string, clause: string): Finding => {
    const { place, of } = placeOfQuery(pair.before, path === '' ? '?include' : `?include=${path}`)
    const name = path === '' ? `Include paths${of}` : `The include path '${path}'${of}`
    return { ...place, code, sentence: `${name} ${clause}`, deprecation: deprecationAlong(path, subject, sides.before) }
  }
  const { added, removed } = listDifference(old.includes, newer.includes)
  const lost = removed.filter(
    (path) => !isUnlisted(path, newer) && !isOverMissing(path, subject, sides.before, sides.after),
  )
  const gained = added.filter(
    (path) => !isUnlisted(path, old) && !isOverMissing(path, subject, sides.after, sides.before),
  )
  const depth = depthOf(newer)
  const isShorter = lost.length > 0 && lost.every((path) => levels(path) > depth) && depth > 0
  // No listed path is removed, but longer paths that were not listed are.
  const isLimited = old.hasLongerIncludes && !newer.hasLongerIncludes && removed.length === 0 && depth > 0
  return [
    ...(isShorter || isLimited ? [finding('include-depth-reduced', '', `have at most ${levelText(depth)}.`)] : []),
    ...(isShorter ? [] : shortest(lost).map((path) => finding('include-removed', path, 'is gone.'))),
    ...shortest(gained).map((path) => finding('include-added', path, 'is new.')),
    ...(old.defaultIncludes.join() === newer.defaultIncludes.join() ? [] : [defaultFinding(pair)]),
  ]
}

function defaultFinding(pair: OperationPair): Finding {
  const { place, of } = placeOfQuery(pair.before, '?include')
  const [old, newer] = [pair.before.query.defaultIncludes, pair.after.query.defaultIncludes].map(listText)
  const sentence = `Without include, documents${of} include ${newer} instead of ${old}.`
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

/** Returns whether a path may be one that the document does not list, because there are too many paths. */
function isUnlisted(path: string, query: QueryContract): boolean {
  return query.hasLongerIncludes && levels(path) > depthOf(query)
}

function shortest(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)))
}

/** Returns the steps of a path, each with the types that may have its relation. */
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

/** Returns whether a path of one contract contains a relation that the other does not have. */
function isOverMissing(path: string, start: string | null, contract: Contract, other: Contract): boolean {
  return stepsOf(path, start, contract).some(
    ([relation, owners]) => owners.length > 0 && owners.every((type) => relationOf(other, type, relation) === null),
  )
}

/** Returns the deprecation of the first deprecated relation of a path. */
function deprecationAlong(path: string, start: string | null, contract: Contract): StatedDeprecation | null {
  const along = stepsOf(path, start, contract).flatMap(([relation, owners]) =>
    owners.flatMap((type) => relationOf(contract, type, relation)?.deprecation ?? []),
  )
  return along[0] ?? null
}
