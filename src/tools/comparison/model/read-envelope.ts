import { buildNode } from './build-node.js'
import type { ResponseContract } from './contract.js'
import type { ContractDocument } from './contract-document.js'
import { canonicalJson } from './json.js'
import { allowsNull, schemaParts } from './schema-parts.js'

type Envelope = Pick<ResponseContract, 'forms' | 'isNullable' | 'types' | 'envelope'>

/** Reads a document without its resources, which are compared once, with their types. */
export function readEnvelope(schemas: readonly unknown[], document: ContractDocument): Envelope {
  const [schema] = schemas
  if (schema === undefined) return { forms: [], isNullable: false, types: [], envelope: null }
  return document.once(`envelope ${canonicalJson(schema)}`, () => envelopeOf(schema, document))
}

function envelopeOf(schema: unknown, document: ContractDocument): Envelope {
  const { variants } = schemaParts([schema], document)
  const documents = variants.length === 0 ? [schema] : variants
  const data = documents.flatMap((each) => dataOf(each, document))
  const without = ['data', 'included', 'atomic:results', 'errors']
  return {
    forms: [...new Set(data.map(({ form }) => form))].toSorted(),
    isNullable: data.some((each) => each.isNullable),
    types: [...new Set(data.flatMap(({ types }) => types))].toSorted(),
    // The documents of one operation differ only in their data. The first one has the most members.
    envelope: buildNode(documents.slice(0, 1), document, { kind: 'member', isRequired: true, without }),
  }
}

interface PrimaryData {
  readonly form: string
  readonly isNullable: boolean
  readonly types: readonly string[]
}

/** Returns the forms that the primary data of a document may have. */
function dataOf(schema: unknown, document: ContractDocument): readonly PrimaryData[] {
  const data = schemaParts([schema], document).members.get('data')
  if (data === undefined) return [{ form: 'none', isNullable: false, types: [] }]
  const isNullable = data.every((each) => allowsNull(each, document))
  return formsOf(data, document).map((form) => ({ ...form, isNullable }))
}

function formsOf(schemas: readonly unknown[], document: ContractDocument): readonly Omit<PrimaryData, 'isNullable'>[] {
  const { types, members, items, variants } = schemaParts(schemas, document)
  if (types?.has('array') === true) {
    return [{ form: 'list', types: formsOf(items, document).flatMap((each) => each.types) }]
  }
  if (variants.length > 0) return variants.flatMap((variant) => formsOf([variant], document))
  const named = schemaParts(members.get('type') ?? [], document).values ?? []
  return [{ form: 'one', types: named.filter((type) => typeof type === 'string') }]
}
