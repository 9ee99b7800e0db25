import type { SearchCondition } from '../../declare/resource/querying/row-condition.js'
import type { SearchQuery, SearchTerm } from '../../declare/resource/querying/search-query.js'
import { HIT, SEARCHED_CHARACTERS, searchWords } from '../../declare/resource/querying/search-query.js'
import type { Candidate } from './query-context.js'
import { columnReader } from './query-context.js'
import { comparableOf } from './stored-value.js'

/** Decides about the texts of one row, in the order of the searched columns. A text is `null` if there is none. */
export interface SearchMatcher {
  readonly matches: (texts: readonly (string | null)[]) => boolean
  /** Returns the rank of a row; of two rows, the one with the greater number is found better. */
  readonly relevance: (texts: readonly (string | null)[]) => number
}

/**
 * Compiles a query, once, with the weights of the searched columns. For stores that test rows one by one.
 *
 * @example
 * ```ts
 * import type { SearchQuery } from 'ashlar/store'
 * import { searchMatcher } from 'ashlar/store'
 *
 * const query: SearchQuery = { required: [{ words: ['kid'], isPrefix: false }], excluded: [] }
 * const { matches, relevance } = searchMatcher(query, [4, 1])
 * console.log(matches(['Kid A', null]), relevance(['Kid A', null]))
 * ```
 */
export function searchMatcher({ required, excluded }: SearchQuery, weights: readonly number[]): SearchMatcher {
  const [wanted, unwanted] = [required.map(termText), excluded.map(termText)]
  const isEmpty = wanted.length === 0 && unwanted.length === 0
  return {
    matches(texts) {
      if (isEmpty) return false
      const found = texts.flatMap((text) => (text === null ? [] : wordsText(text)))
      const isIn = (each: string): boolean => found.some((text) => text.includes(each))
      return wanted.every(isIn) && !unwanted.some(isIn)
    },
    relevance(texts) {
      return texts.reduce((sum, text, index) => {
        if (text === null) return sum
        const words = wordsText(text)
        const hits = wanted.filter((each) => words.includes(each)).length
        return hits === 0 ? sum : sum + hits * (weights[index] ?? 1) * hitNumber(text)
      }, 0)
    },
  }
}

/** A text is the sequence of its words, each between spaces, so that a phrase is a part of it. */
function wordsText(text: string): string {
  return ` ${searchWords(beginning(text)).join(' ')} `
}

function termText({ words, isPrefix }: SearchTerm): string {
  return ` ${words.join(' ')}${isPrefix ? '' : ' '}`
}

function beginning(text: string): string {
  if (text.length <= SEARCHED_CHARACTERS) return text
  return Array.from(text.slice(0, 2 * SEARCHED_CHARACTERS))
    .slice(0, SEARCHED_CHARACTERS)
    .join('')
}

/** A hit in a short text counts up to twice as much as in a long one. */
function hitNumber(text: string): number {
  return HIT.base + Math.floor(HIT.short / (HIT.offset + characters(text)))
}

/** Counts code points, as databases do. */
function characters(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length - 1; at += 1) if ((text.codePointAt(at) ?? 0) > 0xff_ff) pairs += 1
  return text.length - pairs
}

export function weightsOf({ columns }: SearchCondition): readonly number[] {
  return columns.map(({ weight }) => weight)
}

/** Returns a function that reads the texts of the searched columns. */
export function searchedTexts({ columns }: SearchCondition): (candidate: Candidate) => readonly (string | null)[] {
  const readers = columns.map(({ column }) => {
    const [read, textOf] = [columnReader(column), comparableOf(column.kind)]
    return (candidate: Candidate): string | null => {
      const text = textOf(read(candidate))
      return typeof text === 'string' ? text : null
    }
  })
  return (candidate) => readers.map((read) => read(candidate))
}
