import type { ActionContract, Contract, FieldsContract, RelationContract, TypeContract } from '../contract/contract.js'
import { filterTreeProfile } from '../../declare/profiles/profile.js'
import type { SuccessResponse } from '../../declare/resource/replies/responses.js'
import { filtersType } from './filter-text.js'
import { pageType } from './page-text.js'
import { jsonValue, schemaType } from './schema-text.js'
import type { TypeMember } from './type-text.js'
import { commentText, objectType, quoted, textsType, unionType } from './type-text.js'

/**
 * Returns the contract of a server as the text of a declaration file that imports nothing: the same type that `ApiOf` infers, which is what is
 * declared, with the descriptions of the declarations as comments.
 */
export function contractText(contract: Contract): string {
  const { server, types, page, atomic, idempotency, dryRuns, profiles } = contract
  const text = objectType([
    { name: 'types', type: objectType(types.map(typeMember)) },
    { name: 'page', type: pageType(page) },
    { name: 'atomic', type: atomic === null ? 'null' : quoted(atomic) },
    { name: 'idempotency', type: String(idempotency) },
    { name: 'filterTrees', type: String(profiles.includes(filterTreeProfile.uri)) },
    { name: 'dryRun', type: String(dryRuns) },
  ])
  const heading = [
    `The contract of the server '${server}', for \`createClient\` of \`@ashlar/client\`.`,
    'Written by `ashlar types`: change the declarations of the server instead, and write it again.',
  ]
  const declarations = text.includes('JsonValue') ? `\n${jsonValue}` : ''
  return `${commentText(heading.join('\n'))}export interface Api ${text}\n${declarations}`
}

function typeMember(contract: TypeContract): TypeMember {
  const { type, description } = contract
  const comment = [...(description === null ? [] : [description]), ...deprecationNotes(contract)].join('\n')
  return { name: type, type: typeText(contract), comment }
}

/** The operations, with the export that the client reads. */
function operationNames({ operations, exportFormats }: TypeContract): readonly string[] {
  return [...operations, ...(exportFormats.includes('ndjson') ? ['Export'] : [])]
}

function deprecationNotes({ isDeprecated, sunset }: TypeContract): readonly string[] {
  if (!isDeprecated) return []
  return [sunset === null ? '@deprecated' : `@deprecated Served until ${sunset}.`]
}

function typeText(contract: TypeContract): string {
  const { type, filters, responses } = contract
  const results = ['create', 'update', 'delete', 'fetchOne'] as const
  // Groups have no address of their own: the client reads them by the name of the aggregate of their type.
  const isGroup = contract.groupsOf !== null
  return objectType([
    { name: 'path', type: quoted(isGroup ? type : contract.path) },
    { name: 'operations', type: textsType(isGroup ? [] : operationNames(contract)) },
    { name: 'clientIds', type: quoted(contract.id.client) },
    ...fieldsMembers(contract.attributes),
    { name: 'relations', type: objectType(contract.relations.map(relationMember)) },
    { name: 'filters', type: filtersType(filters) },
    { name: 'singular', type: textsType(Object.keys(filters).filter((key) => filters[key]?.isSingular)) },
    { name: 'sorts', type: textsType(Object.keys(contract.sorts)) },
    { name: 'page', type: pageType(contract.page) },
    { name: 'countable', type: String(contract.countable) },
    { name: 'actions', type: objectType(contract.actions.map((action) => actionMember(action, type))) },
    { name: 'upsertBy', type: textsType(isGroup ? [] : contract.upsertBy) },
    {
      name: 'aggregates',
      type: objectType(Object.entries(contract.aggregates).map(([name, each]) => ({ name, type: quoted(each) }))),
    },
    { name: 'results', type: objectType(results.map((name) => ({ name, type: resultType(responses[name], type) }))) },
  ])
}

function fieldsMembers({ read, create, update }: FieldsContract): readonly TypeMember[] {
  return [
    { name: 'attributes', type: schemaType(read.declared) },
    { name: 'create', type: schemaType(create.declared) },
    { name: 'update', type: schemaType(update.declared) },
  ]
}

function relationMember({ name, description, pivot, ...relation }: RelationContract): TypeMember {
  const { declaredPage, sorts, pivotSorts } = relation
  const type = objectType([
    { name: 'type', type: textsType(relation.targets) },
    { name: 'many', type: String(relation.toMany) },
    { name: 'path', type: quoted(relation.path) },
    { name: 'is', type: textsType(relation.declaredUses) },
    { name: 'pivot', type: pivot === null ? 'null' : objectType(fieldsMembers(pivot)) },
    { name: 'filters', type: filtersType(relation.filters) },
    { name: 'sorts', type: textsType([...Object.keys(sorts), ...Object.keys(pivotSorts)]) },
    { name: 'page', type: declaredPage === 'inherited' ? quoted(declaredPage) : pageType(declaredPage) },
  ])
  return { name, type, comment: description ?? '' }
}

function actionMember(action: ActionContract, owner: string): TypeMember {
  const { path, scope, methods, input, inputType, inputMediaTypes, responses, description } = action
  const raw = inputMediaTypes === null ? quoted('raw') : bytesType(inputMediaTypes)
  const inputs = { none: 'null', raw, document: `{ document: ${quoted(inputType)} }` }
  const type = objectType([
    { name: 'on', type: quoted(scope) },
    { name: 'methods', type: textsType(methods) },
    { name: 'input', type: inputs[input] },
    { name: 'result', type: resultType(responses, owner) },
  ])
  return { name: path, type, comment: description ?? '' }
}

function bytesType(mediaTypes: readonly string[]): string {
  return `{ bytes: ${textsType(mediaTypes)} }`
}

const resultKeys = Object.freeze({ one: 'resource', oneOrNull: 'resourceOrNull', many: 'resources' })

/** @param type the type of the resources in responses that name none */
function resultType(responses: readonly SuccessResponse[], type: string): string {
  return unionType(
    responses.map((response) => {
      switch (response.kind) {
        case 'accepted':
          return `{ job: ${quoted(response.jobType)} }`
        case 'noContent':
          return quoted('none')
        case 'metaResult':
          return quoted('meta')
        case 'seeOther':
          return quoted('redirect')
        case 'bytes':
          return bytesType(response.mediaTypes)
        case 'actionResource':
          return `{ ${resultKeys[response.data]}: ${quoted(response.type ?? type)} }`
        case 'created':
        case 'ok':
          return `{ resource: ${quoted(type)} }`
      }
    }),
  )
}
