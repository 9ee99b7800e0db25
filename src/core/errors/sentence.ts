import { fillTemplate } from './message-template.js'

/**
 * The sentences of the errors `VALIDATION_FAILED` and `FILTER_VALUE_INVALID`, by the rule that a value violates. If there are two, the first is for
 * the limit 1.
 */
export const sentences = {
  required: 'This is required.',
  notNull: 'This must not be null.',
  notEmpty: 'This must not be empty.',
  string: 'This must be a string.',
  onlyTrue: 'This must be true. For the other resources, negate the filter.',
  integer: 'This must be a whole number.',
  number: 'This must be a number.',
  boolean: 'This must be true or false.',
  array: 'This must be a list.',
  object: 'This must be an object.',
  type: 'This must be of another type.',
  bigint: 'This must be a whole number as a string of digits, from {min} to {max}.',
  moment: 'This must be a real date or time.',
  momentForm: 'This must be a real date or time, written {pattern}.',
  wellFormed: 'This is not well-formed text.',
  noNullCharacter: 'This has the character U+0000.',
  wellFormedName: 'This has a member whose name is not well-formed text.',
  noNullCharacterInName: 'This has a member whose name has the character U+0000.',
  minLength: ['This must have at least {limit} character.', 'This must have at least {limit} characters.'],
  maxLength: ['This must have at most {limit} character.', 'This must have at most {limit} characters.'],
  pattern: 'This does not have the required form.',
  email: 'This must be an e-mail address.',
  uri: 'This must be an absolute URL.',
  uuid: 'This must be a UUID.',
  ipv4: 'This must be an IPv4 address.',
  ipv6: 'This must be an IPv6 address.',
  format: 'This must be of another format.',
  minimum: 'This must be {limit} or more.',
  maximum: 'This must be {limit} or less.',
  exclusiveMinimum: 'This must be more than {limit}.',
  exclusiveMaximum: 'This must be less than {limit}.',
  multipleOf: 'This must be a multiple of {divisor}.',
  before: 'This must be before {limit}.',
  after: 'This must be after {limit}.',
  between: 'This must be between {min} and {max}.',
  minItems: ['This must have at least {limit} item.', 'This must have at least {limit} items.'],
  maxItems: ['This must have at most {limit} item.', 'This must have at most {limit} items.'],
  uniqueItems: 'This must not hold the same item twice.',
  minProperties: ['This must have at least {limit} member.', 'This must have at least {limit} members.'],
  maxProperties: ['This must have at most {limit} member.', 'This must have at most {limit} members.'],
  member: "This must have the member '{member}'.",
  noMember: "This must not have the member '{member}'.",
  oneOf: 'This must be one of {values}.',
  const: 'This must be {value}.',
  notOneOf: 'This is one of the values that are not allowed.',
  anyForm: 'This has none of the allowed forms.',
  oneForm: 'This has more than one of the allowed forms.',
  equalTo: "This must be equal to '{field}'.",
  differentFrom: "This must be different from '{field}'.",
  greaterThan: "This must be greater than '{field}'.",
  greaterOrEqual: "This must be greater than or equal to '{field}'.",
  lessThan: "This must be less than '{field}'.",
  lessOrEqual: "This must be less than or equal to '{field}'.",
  valid: 'This is not valid.',
  unique: 'This value is already taken.',
  uniqueElsewhere: 'Another resource has a value that only one may have.',
  allowed: 'This value is not allowed.',
  check: 'This breaks a rule that holds for its values.',
  storable: 'This value cannot be stored.',
  storableValues: 'This has a value that cannot be stored.',
  id: 'This id does not have the required form.',
  idOfMissing: 'This id is made of the id of a resource that does not exist.',
  idContradicts: 'This contradicts the attributes or relationships that the id is made of.',
  relationContradicts: "This contradicts another relationship that '{relation}' shares its storage with.",
  relationNeeded: 'This resource cannot be without this relationship.',
  relationNeededElsewhere: 'A resource that is left out here cannot be without this relationship.',
  reference: 'This refers to a resource that does not exist, or removes a resource that others still refer to.',
  integerRange: 'This must be a whole number from {min} to {max}.',
  columnType: 'This is not a valid value of the type {type}.',
  digits: 'This must be a number with at most {limit} digits before the decimal point.',
  regularExpression: 'This must match the regular expression {pattern}.',
  range: 'This must be from {min} to {max}.',
  columnCheck: 'This must {condition}.',
  partition: 'The database has no partition for this value.',
  database: 'A rule of the database does not allow this.',
  readable: 'This cannot be read.',
  listOfValues: 'This must be a list of values.',
  singleValue: 'This must be a single value.',
  bounds: "A range has the bounds 'min' and 'max': send one of them, or both.",
  knownBounds: "A range has the bounds 'min' and 'max', and no bound '{bound}'.",
  singleBound: 'A bound must be a single value.',
} as const

/** The rule that a sentence is about. */
export type SentenceRule = keyof typeof sentences

interface SentenceValues {
  readonly [name: string]: string | number
}

/** A sentence of the service about a violated rule. A translation has the same values for its placeholders. */
export class Sentence {
  readonly rule: SentenceRule
  readonly values: SentenceValues

  constructor(rule: SentenceRule, values: SentenceValues) {
    this.rule = rule
    this.values = values
  }

  /** Returns the English text. */
  toString(): string {
    const template: string | readonly [string, string] = sentences[this.rule]
    const form = typeof template === 'string' ? template : template[String(this.values['limit']) === '1' ? 0 : 1]
    return fillTemplate(form, this.values)
  }
}

/** Returns the sentence about a violated rule. */
export function sentence(rule: SentenceRule, values: SentenceValues = {}): Sentence {
  return new Sentence(rule, values)
}
