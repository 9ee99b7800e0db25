import { declaredMembers, memberNamed } from './declared-members.js'
import type { Part, PartList } from './merge/source-tree.js'

/** Whether a request without a caller may do something. `unknown` if the text of the policy does not show it. */
type Verdict = 'allowed' | 'denied' | 'unknown'

interface Access {
  readonly read: Verdict
  readonly write: Verdict
}

/** The types that an anonymous caller may read and write, as far as the files of a service show it. */
export interface AnonymousAccess {
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** The types whose policy is not in these files, or is more than a few plain rules. */
  readonly unknown: readonly string[]
}

/**
 * Reads from the files of a service what an anonymous caller may do. No file is run.
 *
 * @param server the text of `server.ts`; null if there is none
 * @param texts the texts of the declaration files
 */
export function anonymousAccess(server: string | null, texts: readonly (string | null)[]): AnonymousAccess {
  const shared = sharedAccess(server)
  const found = texts.flatMap((text) =>
    [...(text ?? '').matchAll(resource)].map(([, constant = '', type = '']) => ({
      type,
      access: accessOf(declaredMembers(text, constant), shared),
    })),
  )
  const typesWith = (isMatch: (access: Access) => boolean): readonly string[] =>
    found
      .filter(({ access }) => isMatch(access))
      .map(({ type }) => type)
      .toSorted()
  return {
    read: typesWith(({ read }) => read === 'allowed'),
    write: typesWith(({ write }) => write === 'allowed'),
    unknown: typesWith(({ read, write }) => read === 'unknown' || write === 'unknown'),
  }
}

const resource = /^(?:export )?const (\S+) = defineResource\(\s*['"]([^'"]+)['"]/gm

const unknownAccess: Access = { read: 'unknown', write: 'unknown' }
const openAccess: Access = { read: 'allowed', write: 'allowed' }

/** Returns the access of types without their own policy: that of the setting `policy` of the server. */
function sharedAccess(server: string | null): Access {
  const settings = declaredMembers(server, 'server')
  if (settings === null || settings.parts.some(({ key }) => key.startsWith('...'))) return unknownAccess
  return accessBy(memberNamed(settings, 'policy'), openAccess)
}

function accessOf(declaration: PartList | null, shared: Access): Access {
  if (declaration === null) return unknownAccess
  // They may make single operations, actions or relations public.
  const mayOpen = ['abilities', 'actions'].some((name) => memberNamed(declaration, name) !== undefined)
  if (mayOpen || memberNamed(declaration, 'relations')?.content.includes('. security (')) return unknownAccess
  const access = accessBy(memberNamed(declaration, 'policy'), shared)
  return memberNamed(declaration, 'readOnly') === undefined ? access : { ...access, write: 'denied' }
}

function accessBy(policy: Part | undefined, fallback: Access): Access {
  if (policy === undefined) return fallback
  const { inner, content } = policy
  if (content === "policy : 'public'") return openAccess
  // A spread, or the ability `before`, may decide about everything.
  const isPlain = inner?.kind === 'members' && inner.parts.every(({ key }) => abilities.has(key))
  if (!isPlain) return unknownAccess
  const verdictOf = (...names: readonly string[]): Verdict => {
    const verdicts = names.map((name) => verdictBy(memberNamed(inner, name)))
    return verdicts.find((verdict) => verdict === 'allowed') ?? verdicts.find((each) => each === 'unknown') ?? 'denied'
  }
  return { read: verdictOf('viewAny', 'view'), write: verdictOf('create', 'update', 'delete') }
}

const abilities: ReadonlySet<string> = new Set(['viewAny', 'view', 'create', 'update', 'delete', 'custom'])

function verdictBy(rule: Part | undefined): Verdict {
  const value = rule?.content.replace(/^.*? : /, '') ?? 'false'
  if (value === 'true') return 'allowed'
  return value === 'false' || /^\w+ \. signedIn \(/.test(value) ? 'denied' : 'unknown'
}
