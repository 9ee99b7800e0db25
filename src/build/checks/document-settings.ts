import { atOnce, isAsyncFunction, isPlainFunction } from '../declared/async-function.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

interface Expectation {
  readonly member: string
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

const expectations: readonly Expectation[] = Object.freeze([
  { member: 'countable', holds: isFlag, remedy: 'give true or false' },
  { member: 'selfLink', holds: isFlag, remedy: 'give true or false' },
  {
    member: 'scope',
    holds: isPlainFunction,
    remedy: "give a function that answers a filter or null: (context, f) => f.where('public').fixed(true)",
  },
  { member: 'objectType', holds: isPlainFunction, remedy: 'give a function of a row that answers a type or null' },
  { member: 'meta', holds: isPlainFunction, remedy: 'give a function of a row' },
  { member: 'links', holds: isPlainFunction, remedy: 'give a function of a row' },
  {
    member: 'maxIncludeDepth',
    holds: (value) => value === null || Number.isInteger(value),
    remedy: 'give a whole number, or null for no limit',
  },
  {
    member: 'allowedIncludePaths',
    holds: (value) => value === null || isTexts(value),
    remedy: "give a list of paths, ['artist', 'tracks.album'], or null for all",
  },
  {
    member: 'defaultIncludes',
    holds: (value) => isPlainFunction(value) || isTexts(value),
    remedy: "give a list of relation names, ['artist'], or a function of a row",
  },
  { member: 'defaultSort', holds: isTexts, remedy: "give a list of sort keys: ['-releasedAt']" },
  { member: 'tags', holds: isTexts, remedy: "give a list of texts: ['Catalog']" },
  { member: 'description', holds: isText, remedy: 'give a text' },
])

/** What is said of a type and its documents has the shape that readers of it expect. */
export const documentSettings: BuildRule = eachType(({ given }) =>
  expectations
    .filter(({ member, holds }) => given[member] !== undefined && !holds(given[member]))
    .map(({ member, remedy }) => ({
      member,
      problem: problemOf(given[member]),
      remedy: isAsyncFunction(given[member]) ? atOnce : remedy,
    })),
)

function problemOf(value: unknown): string {
  return Array.isArray(value) ? 'holds something that is no text' : `is ${shown(value)}`
}
