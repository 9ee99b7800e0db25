import type { Problem } from '../../errors/json-api-error.js'
import { fail, failAll, problem } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { isKnownRelation } from '../query/known-relation.js'
import type { ReadContext } from '../read-context.js'
import type { Expansion, Inclusion, InclusionStep } from './inclusion.js'
import { isAllowedPath, isIncludable, maxDepth } from './inclusion.js'

const source = { source: { parameter: 'include' } } as const

/**
 * What the paths of `include` ask for, from resources of these types on. A path counts when each of its relations may be
 * included, the root allows it, and it is not too deep; what is wrong with the paths is told all at once.
 */
export function requestedInclusion(
  paths: readonly string[],
  roots: readonly ServedType[],
  reading: ReadContext,
): Inclusion | null {
  if (paths.length === 0) return null
  if (!roots.some((served) => [...served.relations.values()].some((relation) => isKnownRelation(relation, reading)))) {
    fail('INCLUSION_UNSUPPORTED', {}, source)
  }
  checkLimit(paths, reading)
  const walked = paths.map((path) => ({ path, hops: hopsOf(path, roots, reading) }))
  const problems = pathProblems(walked, roots, reading)
  if (problems.length > 0) failAll(problems)
  return inclusionOf(walked, roots, reading)
}

/** Asking for `a.b.c` is asking for `a` and `a.b` too: a single path could otherwise cost more than all that are allowed. */
function checkLimit(paths: readonly string[], { services: { maxIncludePaths: limit } }: ReadContext): void {
  const asked = new Set<string>()
  for (const path of paths) {
    for (let end = 0; end !== -1; ) {
      end = path.indexOf('.', end + 1)
      asked.add(end === -1 ? path : path.slice(0, end))
      if (asked.size > limit) fail('LIMIT_EXCEEDED', { limit, subject: 'include paths' }, source)
    }
  }
}

interface Hop {
  readonly from: ServedType
  readonly relation: ServedRelation
}

interface Walked {
  readonly path: string
  /** For each name of the path the relations that it means; `null` where a name means none. */
  readonly hops: readonly (readonly Hop[])[] | null
}

/** Relations to several types go on from those that know the next name. */
function hopsOf(path: string, roots: readonly ServedType[], reading: ReadContext): Walked['hops'] {
  const hops: (readonly Hop[])[] = []
  let types = roots
  for (const name of path.split('.')) {
    const found = types.flatMap((from): readonly Hop[] => {
      const relation = from.relations.get(name)
      return relation !== undefined && isKnownRelation(relation, reading) ? [{ from, relation }] : []
    })
    if (found.length === 0) return null
    hops.push(found)
    types = [...new Set(found.flatMap(({ relation }) => [...relation.related.values()]))]
  }
  return hops
}

function pathProblems(
  walked: readonly Walked[],
  roots: readonly ServedType[],
  reading: ReadContext,
): readonly Problem[] {
  const unknown: string[] = []
  const notAllowed: string[] = []
  const tooDeep = new Map<number, string[]>()
  for (const { path, hops } of walked) {
    if (hops === null) {
      unknown.push(path)
      continue
    }
    const from = roots.filter((root) => hops[0]?.some((hop) => hop.from === root))
    const barred = hops.flat().some(({ relation }) => !isIncludable(relation, reading))
    const limits = from.map((root) => maxDepth(root, reading)).filter((limit) => limit > 0 && hops.length > limit)
    const [limit] = limits
    if (barred || !from.every((root) => isAllowedPath(root, path))) notAllowed.push(path)
    else if (limit !== undefined) tooDeep.set(limit, [...(tooDeep.get(limit) ?? []), path])
  }
  return [
    ...(unknown.length === 0 ? [] : [problem('INCLUSION_UNRECOGNIZED', { paths: unknown.join(', ') }, source)]),
    ...(notAllowed.length === 0 ? [] : [problem('INCLUSION_NOT_ALLOWED', { paths: notAllowed.join(', ') }, source)]),
    ...[...tooDeep].map(([limit, paths]) =>
      problem('INCLUSION_DEPTH_EXCEEDED', { paths: paths.join(', '), maxDepth: limit }, source),
    ),
  ]
}

interface Branch extends Expansion {
  /** The branch of a name, which grows where there is none. */
  at(name: string): Branch
}

/** One tree of names for all paths: asking for `a.b` is asking for `a` too, and nothing is followed twice. */
function growBranch(reading: ReadContext): Branch {
  const branches = new Map<string, Branch>()
  const stepsFrom = new Map<ServedType, readonly InclusionStep[]>()
  return {
    at(name) {
      const branch = branches.get(name) ?? growBranch(reading)
      branches.set(name, branch)
      return branch
    },
    get isEnd() {
      return branches.size === 0
    },
    // The tree is grown before it is followed, and then the same from every resource of a type.
    follow(served: ServedType): readonly InclusionStep[] {
      const known = stepsFrom.get(served)
      if (known !== undefined) return known
      const steps = [...branches].flatMap(([name, next]) => {
        const relation = served.relations.get(name)
        // Behind a relation to several types, one of them may hide what another shows.
        return relation === undefined || !isKnownRelation(relation, reading) ? [] : [{ relation, next }]
      })
      stepsFrom.set(served, steps)
      return steps
    },
  }
}

function inclusionOf(walked: readonly Walked[], roots: readonly ServedType[], reading: ReadContext): Inclusion {
  const root = growBranch(reading)
  const followed = new Map<ServedType, Set<ServedRelation>>()
  /** The ways that lead to a type: a relation, at the place in the tree where it is followed. */
  const ways = new Map<ServedType, Set<string>>()
  for (const { path, hops } of walked) {
    let branch: Branch = root
    const names = path.split('.')
    for (const name of names) branch = branch.at(name)
    for (const [depth, found] of (hops ?? []).entries()) {
      const place = names.slice(0, depth + 1).join('.')
      for (const { from, relation } of found) {
        followed.set(from, (followed.get(from) ?? new Set()).add(relation))
        for (const met of relation.related.values()) {
          ways.set(met, (ways.get(met) ?? new Set()).add(`${place} of ${from.type.type}`))
        }
      }
    }
  }
  return {
    start: () => root,
    followedFrom: (served) => [...(followed.get(served) ?? [])],
    leadsTo: (served) => ways.has(served),
    isMetOnce: (served) => ways.get(served)?.size === 1 && !roots.includes(served),
  }
}
