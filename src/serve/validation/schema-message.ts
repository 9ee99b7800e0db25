import type { ErrorObject } from 'ajv'
import type { Sentence } from '../../core/errors/sentence.js'
import { sentence } from '../../core/errors/sentence.js'

/** Returns the sentence for an error that a JSON Schema keyword found. */
export function schemaMessage({ keyword, params, message }: ErrorObject): Sentence | string {
  const of = (name: string): unknown => (params as Readonly<Record<string, unknown>>)[name]
  switch (keyword) {
    case 'type':
      return typeSentence(of('type'))
    case 'format':
      return sentence(formats.find((name) => name === of('format')) ?? 'format')
    case 'anyOf':
    case 'oneOf':
      return sentence(Array.isArray(of('passingSchemas')) ? 'oneForm' : 'anyForm')
    case 'multipleOf':
      return sentence('multipleOf', { divisor: String(of('multipleOf')) })
    case 'pattern':
    case 'uniqueItems':
      return sentence(keyword)
    case 'minLength':
    case 'maxLength':
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return sentence(keyword, { limit: String(of('limit')) })
    case 'enum':
      return sentence('oneOf', { values: listed(of('allowedValues') as readonly unknown[] | undefined) })
    case 'const':
      return sentence('const', { value: JSON.stringify(of('allowedValue')) })
    case 'not':
      return sentence('notOneOf')
    case 'required':
      return sentence('member', { member: String(of('missingProperty')) })
    case 'additionalProperties':
      return sentence('noMember', { member: String(of('additionalProperty')) })
    default:
      return message === undefined ? sentence('valid') : `This ${message.replace(' NOT ', ' not ')}.`
  }
}

/** Returns the sentence about a value of another JSON type. */
export function typeSentence(type: unknown): Sentence {
  return sentence(types.find((name) => name === type) ?? 'type')
}

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const
const formats = ['email', 'uri', 'uuid', 'ipv4', 'ipv6'] as const

function listed(values: readonly unknown[] = []): string {
  return values.map((value) => JSON.stringify(value)).join(', ')
}
