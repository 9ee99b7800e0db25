import type { ErrorObject } from 'ajv'

/** Returns the message for an error that a JSON Schema keyword found. */
export function schemaMessage({ keyword, params, message }: ErrorObject): string {
  const limit = String((params as { readonly limit?: unknown }).limit)
  switch (keyword) {
    case 'type':
      return `This must be ${typeNames[String((params as { readonly type?: unknown }).type)] ?? 'of another type'}.`
    case 'minLength':
      return `This must have at least ${count(limit, 'character')}.`
    case 'maxLength':
      return `This must have at most ${count(limit, 'character')}.`
    case 'pattern':
      return 'This does not have the required form.'
    case 'format':
      return `This must be ${formatNames[String((params as { readonly format?: unknown }).format)] ?? 'of another format'}.`
    case 'anyOf':
    case 'oneOf':
      return Array.isArray((params as { readonly passingSchemas?: unknown }).passingSchemas)
        ? 'This has more than one of the allowed forms.'
        : 'This has none of the allowed forms.'
    case 'minimum':
      return `This must be ${limit} or more.`
    case 'maximum':
      return `This must be ${limit} or less.`
    case 'exclusiveMinimum':
      return `This must be more than ${limit}.`
    case 'exclusiveMaximum':
      return `This must be less than ${limit}.`
    case 'multipleOf':
      return `This must be a multiple of ${String((params as { readonly multipleOf?: unknown }).multipleOf)}.`
    case 'minItems':
      return `This must have at least ${count(limit, 'item')}.`
    case 'maxItems':
      return `This must have at most ${count(limit, 'item')}.`
    case 'uniqueItems':
      return 'This must not hold the same item twice.'
    case 'minProperties':
      return `This must have at least ${count(limit, 'member')}.`
    case 'maxProperties':
      return `This must have at most ${count(limit, 'member')}.`
    case 'enum':
      return `This must be one of ${listed((params as { readonly allowedValues?: readonly unknown[] }).allowedValues)}.`
    case 'const':
      return `This must be ${JSON.stringify((params as { readonly allowedValue?: unknown }).allowedValue)}.`
    case 'not':
      return 'This is one of the values that are not allowed.'
    case 'required':
      return `This must have the member '${String((params as { readonly missingProperty?: unknown }).missingProperty)}'.`
    case 'additionalProperties':
      return `This must not have the member '${String((params as { readonly additionalProperty?: unknown }).additionalProperty)}'.`
    default:
      return `This ${message?.replace(' NOT ', ' not ') ?? 'is not valid'}.`
  }
}

const typeNames: Readonly<Record<string, string>> = Object.freeze({
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
})

const formatNames: Readonly<Record<string, string>> = Object.freeze({
  email: 'an e-mail address',
  uri: 'an absolute URL',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
})

function count(limit: string, noun: string): string {
  return `${limit} ${noun}${limit === '1' ? '' : 's'}`
}

function listed(values: readonly unknown[] = []): string {
  return values.map((value) => JSON.stringify(value)).join(', ')
}
