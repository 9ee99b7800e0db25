import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import type { Profile } from '../../declare/profiles/profile.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { TypeHeaders } from '../../declare/resource/compiled/type-headers.js'
import type { Enumeration } from '../../declare/resource/fields/enumeration.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { deepFreeze } from '../../core/util/deep-freeze.js'
import type { Steps } from '../../core/util/in-slices.js'
import type { Contract, ContractLimits, EnumerationContract, TypeContract } from './contract.js'
import { includePaths } from './include-paths.js'
import { pageContract } from './page-contract.js'
import { typeContract } from './type-contract.js'
import { enumerationSchema } from './value-schema.js'

/** A server with everything that its contract depends on. */
export interface ContractedServer {
  readonly name: string
  /** The types with routes or as targets of relations, in the order of their declarations. */
  readonly types: readonly ServedType[]
  /** The paginator of types that declare none. */
  readonly paginator: AnyPaginator | null
  /** The path of the Atomic Operations extension; `null` if the server does not have it. */
  readonly atomicPath: string | null
  readonly profiles: readonly Profile[]
  readonly extensions: readonly { readonly uri: string; readonly path: string }[]
  /** 0 or less for no limit. */
  readonly maxIncludeDepth: number
  readonly prefix: string
  readonly limits: ContractLimits
  readonly headersOf: (type: CompiledType) => TypeHeaders
  /** Headers of responses that belong to no type: name, value, name, value. */
  readonly headersOfServer: readonly string[]
  readonly traits: { readonly hasIdempotency: boolean; readonly hasDryRuns: boolean }
}

/** Computes the contract of a server, type by type. */
export function* serverContract(server: ContractedServer): Steps<Contract> {
  const named = enumerationList()
  const types: TypeContract[] = []
  const { name, maxIncludeDepth, headersOf } = server
  const scope = { server: name, maxIncludeDepth, enumerations: named.refer, headersOf }
  for (const served of server.types) {
    types.push(typeContract(served, scope))
    yield
  }
  const known = new Map(types.map((each) => [each.type, each]))
  const listed: TypeContract[] = []
  for (const type of types) {
    const includes = { ...type.includes, ...includePaths([type], (found) => known.get(found) ?? null) }
    listed.push(deepFreeze({ ...type, includes }))
    yield
  }
  const related = server.types.flatMap(({ relations }) =>
    [...relations.values()].flatMap((each) => [...each.related.values()]),
  )
  const others = new Set(related.filter(({ type }) => !known.has(type.type)))
  return deepFreeze({
    server: name,
    types: listed,
    referenced: [...others].map((served) => typeContract(served, scope)),
    page: pageContract(server.paginator),
    atomic: server.atomicPath,
    idempotency: server.traits.hasIdempotency,
    dryRuns: server.traits.hasDryRuns,
    prefix: server.prefix,
    limits: server.limits,
    profiles: server.profiles.map(({ uri }) => uri),
    headers: server.headersOfServer,
    extensions: server.extensions.map(({ uri, path }) => ({ uri, path })),
    enumerations: named.all,
  })
}

/** The beginning of references to named sets of values. */
const enumerationPath = '#/enumerations/'

interface EnumerationList {
  readonly all: readonly EnumerationContract[]
  readonly refer: (enumeration: Enumeration) => JsonSchema
}

/** Lists the named sets of values that schemas refer to, each once. Sets without a name stay in their schemas. */
function enumerationList(): EnumerationList {
  const all: EnumerationContract[] = []
  const references = new Map<string, JsonSchema>()
  const newReference = (name: string, enumeration: Enumeration): JsonSchema => {
    const index = all.push({ name, schema: enumerationSchema(enumeration) }) - 1
    return { $ref: `${enumerationPath}${index}` }
  }
  return {
    all,
    refer(enumeration) {
      const { name, values, descriptions } = enumeration
      if (name === null) return enumerationSchema(enumeration)
      const key = JSON.stringify([name, values, descriptions])
      const reference = references.get(key) ?? newReference(name, enumeration)
      references.set(key, reference)
      return reference
    },
  }
}

/** Returns the named set of values that a schema refers to; `null` for any other schema. */
export function enumerationOf({ $ref }: JsonSchema, { enumerations }: Contract): EnumerationContract | null {
  if (typeof $ref !== 'string' || !$ref.startsWith(enumerationPath)) return null
  return enumerations[Number($ref.slice(enumerationPath.length))] ?? null
}
