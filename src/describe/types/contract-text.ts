import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { FilterSpecs } from '../../declare/resource/filters/filter-spec.js'
import type { SuccessResponse } from '../../declare/resource/replies/responses.js'
import { servedOperations } from '../../declare/resource/replies/responses.js'
import { attributesType, jsonValue, serializedType } from './attribute-text.js'
import { filtersType } from './filter-text.js'
import { pageType } from './page-text.js'
import { relationType } from './relation-text.js'
import type { TypeMember } from './type-text.js'
import { commentText, objectType, quoted, textsType, unionType } from './type-text.js'

/** A server with everything that its contract depends on. */
export interface ContractedServer {
  readonly name: string
  readonly types: readonly ServedType[]
  /** The paginator of types that declare none. */
  readonly paginator: AnyPaginator | null
  /** The path of the Atomic Operations extension; `null` if the server does not have it. */
  readonly atomicPath: string | null
  readonly hasIdempotency: boolean
  readonly hasDryRuns: boolean
}

/**
 * Returns the contract of a server as the text of a declaration file that imports nothing: the same type that `ApiOf` infers, with the
 * descriptions of the declarations as comments.
 */
export function contractText(server: ContractedServer): string {
  const contract = objectType([
    { name: 'types', type: objectType(server.types.map(typeMember)) },
    { name: 'page', type: pageType(server.paginator) },
    { name: 'atomic', type: server.atomicPath === null ? 'null' : quoted(server.atomicPath) },
    { name: 'idempotency', type: String(server.hasIdempotency) },
    { name: 'dryRun', type: String(server.hasDryRuns) },
  ])
  const heading = [
    `The contract of the server '${server.name}', for \`createClient\` of \`@ashlar/client\`.`,
    'Written by `ashlar types`: change the declarations of the server instead, and write it again.',
  ]
  const declarations = contract.includes('JsonValue') ? `\n${jsonValue}` : ''
  return `${commentText(heading.join('\n'))}export interface Api ${contract}\n${declarations}`
}

function typeMember(served: ServedType): TypeMember {
  const { type, description } = served.type
  const comment = [...(description === null ? [] : [description]), ...deprecationNotes(served.type)].join('\n')
  return { name: type, type: typeContract(served), comment }
}

function deprecationNotes({ deprecation, sunset }: CompiledType): readonly string[] {
  if (typeof deprecation !== 'string') return []
  return [sunset === null ? '@deprecated' : `@deprecated Served until ${sunset}.`]
}

/** The rules are those of `TypeContract`, so that both sources of a contract agree. */
function typeContract(served: ServedType): string {
  const { type, serializer } = served
  const attributes = Object.fromEntries(type.attributes.map(({ name, spec }): [string, AttributeSpec] => [name, spec]))
  const fields = {
    attribute: (name: string) => type.attributeNamed.get(name)?.spec,
    pivot: {},
    isFilterable: (key: string) => type.relationNamed.get(key)?.spec.filterable === true,
  }
  const operations = servedOperations.filter((operation) => type.operations.has(operation))
  const { clientIds } = type.id.spec
  return objectType([
    { name: 'path', type: quoted(type.uriType) },
    { name: 'operations', type: textsType(operations) },
    { name: 'clientIds', type: quoted(clientIds === 'forbidden' ? 'never' : clientIds) },
    {
      name: 'attributes',
      type: serializer === null ? attributesType(attributes, 'read') : serializedType(serializer, attributes),
    },
    { name: 'create', type: attributesType(attributes, 'create') },
    { name: 'update', type: attributesType(attributes, 'update') },
    { name: 'relations', type: relationsType(served) },
    { name: 'filters', type: filtersType(type.filters, fields) },
    { name: 'singular', type: textsType(singularKeys(type.filters)) },
    { name: 'sorts', type: textsType(Object.keys(type.sorts)) },
    { name: 'page', type: pageType(served.paginator) },
    { name: 'countable', type: String(type.countable) },
    { name: 'actions', type: objectType(type.actions.map((action) => actionMember(action, type.type))) },
    { name: 'results', type: resultsType(type) },
  ])
}

function relationsType({ relations }: ServedType): string {
  return objectType(
    [...relations.values()].map((relation) => {
      return { name: relation.name, type: relationType(relation), comment: relation.spec.description ?? '' }
    }),
  )
}

function singularKeys(filters: FilterSpecs): readonly string[] {
  return Object.keys(filters).filter((key) => filters[key]?.singular === true)
}

function resultsType({ type, responses }: CompiledType): string {
  const names = ['create', 'update', 'delete', 'fetchOne'] as const
  return objectType(names.map((name) => ({ name, type: resultType(responses[name], type) })))
}

function actionMember(action: CompiledAction, owner: string): TypeMember {
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
