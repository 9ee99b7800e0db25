import { synchronousRemedy, isAsyncFunction, isPlainFunction } from '../declared/async-function.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import type { OptionShape } from '../declared/option-shapes.js'
import { flag, nonEmptyText, wholeNumber } from '../declared/option-shapes.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { isLinkagePolicy } from '../../../declare/resource/relations/relation-spec.js'

interface Expectation extends OptionShape {
  readonly member: string
  /** The problem of an invalid entry of a list. Default: `not a string`. */
  readonly entry?: string
}

const isString = (value: unknown): boolean => typeof value === 'string'
const isStringList = (value: unknown): boolean => Array.isArray(value) && value.every(isString)

/** A path, or a path with a condition, which the rule useConditions checks. */
const isPath = (value: unknown): boolean => {
  if (!isPlainObject(value)) return isString(value)
  return isString(value['path']) && Object.keys(value).every((member) => member === 'path' || member === 'usableIf')
}

const expectations: readonly Expectation[] = Object.freeze([
  { member: 'countable', ...flag },
  { member: 'selfLink', ...flag },
  { member: 'collectionTags', ...flag },
  { member: 'lastModified', holds: isString, remedy: 'name a column' },
  {
    member: 'scope',
    holds: isPlainFunction,
    remedy: "give a function that returns a filter or null: (context, f) => f.where('public').fixed(true)",
  },
  {
    member: 'defaults',
    holds: isPlainFunction,
    remedy: 'give a function that returns columns: ({ caller }) => ({ ownerId: caller.id })',
  },
  {
    member: 'objectType',
    holds: isPlainFunction,
    remedy: 'give a function that takes a row and returns a type or null',
  },
  {
    member: 'storedType',
    ...nonEmptyText('give the text in the type columns of other rows'),
  },
  { member: 'meta', holds: isPlainFunction, remedy: 'give a function that takes a row' },
  { member: 'links', holds: isPlainFunction, remedy: 'give a function that takes a row' },
  {
    member: 'maxIncludeDepth',
    holds: (value) => value === null || Number.isInteger(value),
    remedy: 'give a whole number, or null for no limit',
  },
  {
    member: 'expectedRows',
    ...wholeNumber(1),
  },
  { member: 'linkage', holds: isLinkagePolicy, remedy: "choose 'always' or 'whenLoaded'" },
  {
    member: 'allowedIncludePaths',
    holds: (value) => value === null || (Array.isArray(value) && value.every(isPath)),
    remedy: "give a list of paths, ['artist', 'tracks.album'], or null for all",
    entry: 'neither a path nor { path, usableIf }',
  },
  {
    member: 'defaultIncludes',
    holds: (value) => isPlainFunction(value) || isStringList(value),
    remedy: "give a list of relation names, ['artist'], or a function that takes a row",
  },
  { member: 'defaultSort', holds: isStringList, remedy: "give a list of sort keys: ['-releasedAt']" },
  { member: 'tags', holds: isStringList, remedy: "give a list of strings: ['Catalog']" },
  { member: 'description', holds: isString, remedy: 'give a string' },
])

/** Checks that the settings of a type and of its documents have the expected types. */
export const documentSettings: BuildRule = eachType(({ rawMembers: given }) =>
  expectations
    .filter(({ member, holds }) => given[member] !== undefined && !holds(given[member]))
    .map(({ member, remedy, entry = 'not a string' }) => ({
      member,
      problem: problemOf(given[member], entry),
      remedy: isAsyncFunction(given[member]) ? synchronousRemedy : remedy,
    })),
)

function problemOf(value: unknown, entry: string): string {
  return Array.isArray(value) ? `contains an entry that is ${entry}` : `is ${describeValue(value)}`
}
