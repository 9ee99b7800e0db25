import type {
  BodyContract,
  OperationContract,
  ParameterContract,
  ResponseContract,
  SecurityContract,
} from './contract.js'
import type { ContractDocument } from './contract-document.js'
import { deprecationOf } from './deprecation-of.js'
import type { JsonObject } from './json.js'
import { canonicalJson, listIn, objectIn, textIn, textsIn } from './json.js'
import type { OperationPath } from './operation-path.js'
import { operationPath } from './operation-path.js'
import { readEnvelope } from './read-envelope.js'
import { readParameter } from './read-parameter.js'
import { isQueryParameter, readQuery } from './read-query.js'

/** The methods of a path item: https://spec.openapis.org/oas/v3.1.0#path-item-object */
const methods: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** Reads the operations by method and path. */
export function readOperations(document: ContractDocument): ReadonlyMap<string, OperationContract> {
  const operations = Object.entries(objectIn(document.root['paths'])).flatMap(([path, item]) => {
    const { parameters, ...rest } = document.resolve(item).value
    return Object.entries(rest)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => {
        const key = `${method.toUpperCase()} ${path}`
        return [operationPath(path), readOperation(key, objectIn(operation), listIn(parameters), document)] as const
      })
  })
  const owners = ownersOf(operations)
  return new Map(
    operations.map(([path, operation]) => [operation.key, { ...operation, ...subjectOf(path, operation, owners) }]),
  )
}

/** An operation whose type and relation are not known yet. */
type ReadOperation = Omit<OperationContract, 'subject' | 'owner' | 'relation'>

function readOperation(
  key: string,
  operation: JsonObject,
  shared: readonly unknown[],
  document: ContractDocument,
): ReadOperation {
  const parameters = [...shared, ...listIn(operation['parameters'])].map((each) => document.resolve(each).value)
  const responses = new Map(
    Object.entries(objectIn(operation['responses'])).map(([status, response]) => [
      status,
      readResponse(document.resolve(response).value, document),
    ]),
  )
  return {
    key,
    id: textIn(operation['operationId']),
    deprecation: deprecationOf(operation),
    security: securityOf(operation['security'] ?? document.root['security']),
    query: readQuery(parameters, document, pageMetaOf(responses)),
    parameters: otherParameters(parameters, document),
    body: bodyOf(operation['requestBody'], document),
    responses,
    text: canonicalJson([operation['summary'], operation['description'], operation['tags']]),
  }
}

type Located = readonly (readonly [path: OperationPath, operation: ReadOperation])[]

/** Returns the types whose collection or resources have a path, by its first segment. */
function ownersOf(operations: Located): ReadonlyMap<string, string> {
  const owners = operations.flatMap(([{ segment, kind }, operation]): readonly (readonly [string, string])[] => {
    const [type] = [...(operation.body?.types ?? []), ...shownTypes(operation)]
    const isOfType = kind === 'collection' || kind === 'resource'
    return segment === null || !isOfType || type === undefined ? [] : [[segment, type]]
  })
  // The type of a job, which a write of another type returns, comes last.
  return new Map(owners.toReversed())
}

/** Returns the types of the resources in successful responses. Those of status 202 come last. */
function shownTypes({ responses }: ReadOperation): readonly string[] {
  const successes = [...responses]
    .filter(([status]) => status.startsWith('2'))
    .toSorted(([a], [b]) => rank(a) - rank(b))
  return [...new Set(successes.flatMap(([, { types }]) => types))]
}

/** Returns the position of a status: the document of a 202 response is a job. */
function rank(status: string): number {
  return status === '202' ? 1 : 0
}

function subjectOf(
  { segment, kind, relation }: OperationPath,
  operation: ReadOperation,
  owners: ReadonlyMap<string, string>,
): Pick<OperationContract, 'subject' | 'owner' | 'relation'> {
  // The generated id contains the names of the type and the relation.
  const [, namedType, named] = operation.id?.split('.') ?? []
  const owner = segment === null ? null : (owners.get(segment) ?? (kind === 'collection' ? null : (namedType ?? null)))
  if (relation === null) return { owner, subject: owner, relation }
  const [related, ...others] = shownTypes(operation)
  return { owner, subject: others.length === 0 ? (related ?? null) : null, relation: named ?? relation }
}

/** Returns the names of the members of `meta.page`, which depend on the kind of pages. */
function pageMetaOf(responses: ReadonlyMap<string, ResponseContract>): readonly string[] {
  const page = responses.get('200')?.envelope?.children.get('.meta')?.children.get('.page')
  const children = [...(page?.children ?? [])]
  return children.flatMap(([name, node]) => (node.kind === 'variant' ? [...node.children.keys()] : [name]))
}

/** https://spec.openapis.org/oas/v3.1.0#security-requirement-object */
function securityOf(declared: unknown): SecurityContract {
  const alternatives = listIn(declared).map(objectIn)
  const isOpen = alternatives.some((requirement) => Object.keys(requirement).length === 0)
  const schemes = alternatives.flatMap((requirement) => {
    const names = Object.entries(requirement).map(([name, scopes]) => [name, ...textsIn(scopes)].join(' '))
    return names.length === 0 ? [] : [names.join(' and ')]
  })
  return { needs: schemes.length === 0 ? 'never' : isOpen ? 'sometimes' : 'always', schemes }
}

function otherParameters(
  parameters: readonly JsonObject[],
  document: ContractDocument,
): ReadonlyMap<string, ParameterContract> {
  const others = parameters.filter((each) => !isQueryParameter(each))
  return new Map(
    others.map((each) => [`${String(each['in'])} ${String(each['name'])}`, readParameter(each, document)] as const),
  )
}

function bodyOf(declared: unknown, document: ContractDocument): BodyContract | null {
  if (declared === undefined) return null
  const { required, content } = document.resolve(declared).value
  const { mediaTypes, schemas } = contentOf(content)
  const { envelope, types } = readEnvelope(schemas, document)
  return { isRequired: required === true, mediaTypes, envelope, types }
}

function readResponse(response: JsonObject, document: ContractDocument): ResponseContract {
  const { mediaTypes, schemas } = contentOf(response['content'])
  const headers = Object.keys(objectIn(response['headers'])).toSorted()
  return { mediaTypes, headers, ...readEnvelope(schemas, document) }
}

function contentOf(content: unknown): { readonly mediaTypes: readonly string[]; readonly schemas: readonly unknown[] } {
  const contents = Object.entries(objectIn(content))
  return {
    mediaTypes: contents.map(([mediaType]) => mediaType),
    schemas: contents.flatMap(([, each]) => objectIn(each)['schema'] ?? []),
  }
}
