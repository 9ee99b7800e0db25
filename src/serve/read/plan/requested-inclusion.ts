import type { Problem } from '../../../core/errors/json-api-error.js'
import { fail, failAll, problem } from '../../../core/errors/json-api-error.js'
import { offered } from '../../../core/errors/offered.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { ReadContext } from '../read-context.js'
import type { Expansion, Inclusion, InclusionStep } from './inclusion.js'
import { isAllowedPath, isIncludable, isKnownToInclude, maxDepth } from './inclusion.js'

const source = { source: { parameter: 'include' } } as const

/**
 * Parses the paths of `include`, for primary resources of these types. A path is valid if each of its relations may be
 * included, the primary type allows the path, and it is not too deep. The errors of all paths are reported together.
 */
export function requestedInclusion(
  paths: readonly string[],
  roots: readonly ServedType[],
  request: ReadContext,
): Inclusion | null {
  if (paths.length === 0) return null
  if (!roots.some((served) => [...served.relations.values()].some((relation) => isKnownToInclude(relation, request)))) {
    fail('INCLUSION_UNSUPPORTED', {}, source)
  }
  checkLimit(paths, request)
  const walked = paths.map((path) => ({ path, hops: hopsOf(path, roots, request) }))
  const problems = pathProblems(walked, roots, request)
  if (problems.length > 0) failAll(problems)
  return inclusionOf(walked, roots, request)
}

/**
 * Fails if there are too many paths. `a.b.c` counts as three, since it also includes `a` and `a.b`: a single path could
 * otherwise cost more than the limit allows.
 */
function checkLimit(paths: readonly string[], { services: { maxIncludePaths: limit } }: ReadContext): void {
  const counted = new Set<string>()
  for (const path of paths) {
    for (let end = 0; end !== -1; ) {
      end = path.indexOf('.', end + 1)
      counted.add(end === -1 ? path : path.slice(0, end))
      if (counted.size > limit) fail('LIMIT_EXCEEDED', { limit, subject: 'include paths' }, source)
    }
  }
}

/** A relation that a name of a path means, with the type that has it. */
interface Hop {
  readonly from: ServedType
  readonly relation: ServedRelation
}

interface WalkedPath {
  readonly path: string
  /** The relations that each name of the path means; `null` if a name means none. */
  readonly hops: readonly (readonly Hop[])[] | null
}

/**
 * Resolves the names of a path. After a relation to several types, the types that have the next relation are followed.
 */
function hopsOf(path: string, roots: readonly ServedType[], request: ReadContext): WalkedPath['hops'] {
  const hops: (readonly Hop[])[] = []
  let types = roots
  for (const name of path.split('.')) {
    const found = types.flatMap((from): readonly Hop[] => {
      const relation = from.relations.get(name)
      return relation !== undefined && isKnownToInclude(relation, request) ? [{ from, relation }] : []
    })
    if (found.length === 0) return null
    hops.push(found)
    types = [...new Set(found.flatMap(({ relation }) => [...relation.related.values()]))]
  }
  return hops
}

function pathProblems(
  walked: readonly WalkedPath[],
  roots: readonly ServedType[],
  request: ReadContext,
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
    const isForbidden = hops.flat().some(({ relation }) => !isIncludable(relation, request))
    const limits = from.map((root) => maxDepth(root, request)).filter((limit) => limit > 0 && hops.length > limit)
    const [limit] = limits
    if (isForbidden || !from.every((root) => isAllowedPath(root, path, request))) notAllowed.push(path)
    else if (limit !== undefined) tooDeep.set(limit, [...(tooDeep.get(limit) ?? []), path])
  }
  return [
    ...(unknown.length === 0 ? [] : [unknownPaths(unknown, roots, request)]),
    ...(notAllowed.length === 0 ? [] : [problem('INCLUSION_NOT_ALLOWED', { paths: notAllowed.join(', ') }, source)]),
    ...[...tooDeep].map(([limit, paths]) =>
      problem('INCLUSION_DEPTH_EXCEEDED', { paths: paths.join(', '), maxDepth: limit }, source),
    ),
  ]
}

/** Returns the problem of paths that name no relationship. It lists the paths that a client can use instead. */
function unknownPaths(paths: readonly string[], roots: readonly ServedType[], request: ReadContext): Problem {
  const possible = new Set(paths.flatMap((path) => includablePaths(path, roots, request)))
  return problem('INCLUSION_UNRECOGNIZED', { paths: paths.join(', '), offered: offered([...possible]) }, source)
}

/** Returns the paths that can be included up to the name in a path that is unknown. */
function includablePaths(path: string, roots: readonly ServedType[], request: ReadContext): readonly string[] {
  const names = path.split('.')
  let length = names.length - 1
  while (length > 0 && hopsOf(names.slice(0, length).join('.'), roots, request) === null) length -= 1
  const start = names.slice(0, length)
  const hops = start.length === 0 ? null : hopsOf(start.join('.'), roots, request)
  const types = hops === null ? roots : (hops.at(-1) ?? []).flatMap(({ relation }) => [...relation.related.values()])
  return types.flatMap((served) =>
    [...served.relations.values()]
      .filter((relation) => isKnownToInclude(relation, request) && isIncludable(relation, request))
      .map(({ name }) => [...start, name].join('.'))
      .filter((each) => roots.every((root) => isAllowedPath(root, each, request))),
  )
}

interface Branch extends Expansion {
  /** Returns the branch of a name. Creates it if there is none. */
  at(name: string): Branch
}

/** Creates a tree of relation names for all paths: `a.b` also includes `a`, and no relation is followed twice. */
function newBranch(request: ReadContext): Branch {
  const branches = new Map<string, Branch>()
  const stepsFrom = new Map<ServedType, readonly InclusionStep[]>()
  // The tree is complete before it is followed, so the steps are the same for every resource of a type.
  const follow = (served: ServedType): readonly InclusionStep[] => {
    const known = stepsFrom.get(served)
    if (known !== undefined) return known
    const steps = [...branches].flatMap(([name, next]) => {
      const relation = served.relations.get(name)
      // After a relation to several types, one type may hide a relation that another type shows.
      return relation === undefined || !isKnownToInclude(relation, request) ? [] : [{ relation, next }]
    })
    stepsFrom.set(served, steps)
    return steps
  }
  return {
    at(name) {
      const branch = branches.get(name) ?? newBranch(request)
      branches.set(name, branch)
      return branch
    },
    get isEnd() {
      return branches.size === 0
    },
    follow,
    followable: follow,
  }
}

function inclusionOf(walked: readonly WalkedPath[], roots: readonly ServedType[], request: ReadContext): Inclusion {
  const root = newBranch(request)
  const followed = new Map<ServedType, Set<ServedRelation>>()
  /** The paths that lead to a type, each with the type that it comes from. */
  const pathsTo = new Map<ServedType, Set<string>>()
  for (const { path, hops } of walked) {
    let branch: Branch = root
    const names = path.split('.')
    for (const name of names) branch = branch.at(name)
    for (const [depth, found] of (hops ?? []).entries()) {
      const prefix = names.slice(0, depth + 1).join('.')
      for (const { from, relation } of found) {
        followed.set(from, (followed.get(from) ?? new Set()).add(relation))
        for (const met of relation.related.values()) {
          pathsTo.set(met, (pathsTo.get(met) ?? new Set()).add(`${prefix} of ${from.type.type}`))
        }
      }
    }
  }
  return {
    start: () => root,
    followedFrom: (served) => [...(followed.get(served) ?? [])],
    leadsTo: (served) => pathsTo.has(served),
    hasSinglePathTo: (served) => pathsTo.get(served)?.size === 1 && !roots.includes(served),
  }
}
