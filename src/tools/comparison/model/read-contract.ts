import type { Contract } from './contract.js'
import type { ContractDocument } from './contract-document.js'
import { canonicalJson, listIn, objectIn, textIn, textsIn } from './json.js'
import { readOperation, writtenOperations } from './read-operations.js'
import { readTypes } from './read-types.js'
import { schemaParts } from './schema-parts.js'

/** Reads the contract that a document describes. */
export function readContract(document: ContractDocument): Contract {
  const { root } = document
  const info = objectIn(root['info'])
  const components = objectIn(root['components'])
  const written = writtenOperations(document)
  const operations = written.map((operation) => readOperation(operation, document))
  return {
    title: textIn(info['title']) ?? '',
    text: canonicalJson([info['title'], info['version'], info['description'], root['tags']]),
    addresses: listIn(root['servers']).flatMap((server) => textIn(objectIn(server)['url']) ?? []),
    types: readTypes(document, written, operations),
    operations: new Map(operations.map((operation) => [operation.key, operation])),
    errorCodes: readErrorCodes(document),
    schemes: new Map(
      Object.entries(objectIn(components['securitySchemes'])).map(([name, scheme]) => {
        const { description: _, ...rest } = objectIn(scheme)
        return [name, canonicalJson(rest)]
      }),
    ),
    limits: new Map(
      Object.entries(objectIn(root['x-limits'])).flatMap(([name, limit]) =>
        typeof limit === 'number' ? [[name, limit]] : [],
      ),
    ),
    profiles: profilesIn(document),
    components: new Set(Object.keys(objectIn(components['schemas']))),
  }
}

/** Reads the codes of each status from the alternatives of its error document. */
function readErrorCodes(document: ContractDocument): ReadonlyMap<string, readonly string[]> {
  const schemas = objectIn(objectIn(document.root['components'])['schemas'])
  const documents = Object.entries(schemas).filter(([name]) => /^ErrorDocument\d+$/.test(name))
  return new Map(
    documents.map(([name, schema]) => {
      const errors = schemaParts([schema], document).members.get('errors') ?? []
      const [errorList] = errors
      const { anyOf } = objectIn(objectIn(errorList)['items'])
      const codes = listIn(anyOf).flatMap((error) => {
        const code = schemaParts([error], document).members.get('code') ?? []
        return textsIn(schemaParts(code, document).values)
      })
      return [name.slice('ErrorDocument'.length), codes]
    }),
  )
}

function profilesIn(document: ContractDocument): readonly string[] {
  const jsonapi = schemaParts([{ $ref: '#/components/schemas/JsonApi' }], document)
  const { items } = schemaParts(jsonapi.members.get('profile') ?? [], document)
  return textsIn(schemaParts(items, document).values)
}
