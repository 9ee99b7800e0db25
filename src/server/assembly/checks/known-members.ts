import type { TypeDeclaration } from '../../../declare/resource/define/define-type.js'
import type { ResourceDeclaration } from '../../../declare/resource/define/define-resource.js'
import type { NamedAttributes } from '../../../declare/resource/fields/attribute-values.js'
import type { AnyRelations } from '../../../declare/resource/relations/relation-types.js'
import type { SortDeclaration } from '../../../declare/resource/sorts/sort-kit.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

type Declaration = ResourceDeclaration<
  object,
  NamedAttributes,
  AnyRelations,
  Readonly<Record<string, SortDeclaration>>,
  string,
  string
> &
  TypeDeclaration<NamedAttributes, AnyRelations, string>

/** The type of this record makes the compiler report missing entries. */
const known: Readonly<Record<keyof Declaration, true>> = Object.freeze({
  model: true,
  id: true,
  attributes: true,
  fields: true,
  relations: true,
  filters: true,
  sorts: true,
  defaultSort: true,
  server: true,
  uriType: true,
  operations: true,
  readOnly: true,
  upsertBy: true,
  create: true,
  update: true,
  delete: true,
  fetchOne: true,
  fetchCollection: true,
  serializer: true,
  hydrator: true,
  provider: true,
  persister: true,
  hooks: true,
  actions: true,
  aggregates: true,
  softDeletes: true,
  version: true,
  lastModified: true,
  policy: true,
  defaults: true,
  abilities: true,
  cacheHeaders: true,
  collectionTags: true,
  deprecation: true,
  sunset: true,
  sunsetLink: true,
  tags: true,
  description: true,
  defaultIncludes: true,
  maxIncludeDepth: true,
  linkage: true,
  allowedIncludePaths: true,
  pagination: true,
  scope: true,
  countable: true,
  export: true,
  expectedRows: true,
  selfLink: true,
  objectType: true,
  storedType: true,
  meta: true,
  links: true,
  completionLocation: true,
})

/** Checks that a declaration has only known members, so that a misspelt member is reported instead of ignored. */
export const knownMembers: BuildRule = eachType(({ type, rawMembers: given }) => {
  const otherName = type.origin === 'resource' ? 'fields' : 'attributes'
  const name = type.origin === 'resource' ? 'attributes' : 'fields'
  return Object.keys(given).flatMap((member) => {
    if (member === otherName) {
      return [{ member, problem: 'is not a member of this kind of declaration', remedy: `move it to '${name}'` }]
    }
    if (Object.hasOwn(known, member)) return []
    return [{ member, problem: 'is not a member of a declaration', remedy: 'remove it, or correct its spelling' }]
  })
})
