import type {
  AggregateContract,
  BodyContract,
  OperationContract,
  ParameterContract,
  ResponseContract,
  SecurityContract,
} from './contract.js'
import type { ContractDocument } from './contract-document.js'
import { deprecationOf } from './deprecation-of.js'
import type { JsonObject } from './json.js'
import { canonicalJson, listIn, numberIn, objectIn, textIn, textsIn } from './json.js'
import { readEnvelope } from './read-envelope.js'
import { readParameter } from './read-parameter.js'
import { isQueryParameter, readQuery } from './read-query.js'

/** The methods of a path item: https://spec.openapis.org/oas/v3.1.0#path-item-object */
const methods: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** An operation as the document has it. */
export interface WrittenOperation {
  /** `GET /albums` */
  readonly key: string
  readonly members: JsonObject
  /** Its parameters, and those of its path. */
  readonly parameters: readonly JsonObject[]
  /** The names of its type, and of its relation or action; empty for an operation of no type. */
  readonly subject: JsonObject
}

/** Returns the operations of all paths. */
export function writtenOperations(document: ContractDocument): readonly WrittenOperation[] {
  return Object.entries(objectIn(document.root['paths'])).flatMap(([path, item]) => {
    const { value } = document.resolve(item)
    return Object.entries(value)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]): WrittenOperation => {
        const members = objectIn(operation)
        const all = [...listIn(value['parameters']), ...listIn(members['parameters'])]
        return {
          key: `${method.toUpperCase()} ${path}`,
          members,
          parameters: all.map((each) => document.resolve(each).value),
          subject: objectIn(value['x-subject']),
        }
      })
  })
}

/** Reads an operation. */
export function readOperation(
  { key, members, parameters, subject }: WrittenOperation,
  document: ContractDocument,
): OperationContract {
  const owner = textIn(subject['type'])
  const relation = textIn(subject['relation'])
  const [related = null, ...others] = textsIn(subject['related'])
  return {
    key,
    id: textIn(members['operationId']),
    owner,
    relation,
    aggregate: aggregateOf(subject['aggregate']),
    exportRows: numberIn(objectIn(members['x-export'])['maxRows']),
    subject: relation === null ? owner : others.length === 0 ? related : null,
    deprecation: deprecationOf(members),
    security: securityOf(members['security'] ?? document.root['security']),
    query: readQuery(parameters, document),
    parameters: otherParameters(parameters, document),
    body: bodyOf(members['requestBody'], document),
    responses: new Map(
      Object.entries(objectIn(members['responses'])).map(([status, response]) => [
        status,
        readResponse(document.resolve(response).value, document),
      ]),
    ),
    text: canonicalJson([members['summary'], members['description'], members['tags']]),
  }
}

function aggregateOf(declared: unknown): AggregateContract | null {
  if (declared === undefined) return null
  const { groups, measures } = objectIn(declared)
  return { groups: textsByName(groups), measures: textsByName(measures) }
}

function textsByName(fields: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(objectIn(fields)).map(([name, text]) => [name, String(text)]))
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

export function contentOf(content: unknown): {
  readonly mediaTypes: readonly string[]
  readonly schemas: readonly unknown[]
} {
  const contents = Object.entries(objectIn(content))
  return {
    mediaTypes: contents.map(([mediaType]) => mediaType),
    schemas: contents.flatMap(([, each]) => objectIn(each)['schema'] ?? []),
  }
}
