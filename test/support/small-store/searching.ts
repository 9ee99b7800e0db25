import { type RowCondition, searchMatcher, type SearchMatcher } from 'ashlar/store'
import { type Found, valueOf, type Wrong } from './values.js'

type Search = Extract<RowCondition, { kind: 'search' }>

/** Whether a row has the words of a search. */
export function isFound(found: Found, search: Search, wrong: Wrong): boolean {
  const texts = textsOf(found, search, wrong)
  const { required } = search.query
  if (wrong('finds rows with one of the words of a search'))
    return required.some((term) =>
      matcher({ ...search, query: { ...search.query, required: [term] } }, wrong).matches(texts),
    )
  return matcher(search, wrong).matches(texts)
}

export function relevanceOf(found: Found, search: Search, wrong: Wrong): number {
  if (wrong('ranks the matches of a search by their keys')) return Number(found.row['id'])
  return matcher(search, wrong).relevance(textsOf(found, search, wrong))
}

function textsOf(found: Found, { columns }: Search, wrong: Wrong): readonly (string | null)[] {
  return columns.map(({ column }) => {
    const value = valueOf(found, column)
    if (typeof value !== 'string') return null
    if (wrong('minds the case of searched words') && value !== value.toLowerCase()) return null
    if (wrong('minds the accents of searched words') && /[^ -~]/.test(value)) return null
    return wrong('separates searched words at spaces only') ? value.replaceAll(/[^\p{L}\p{N} ]/gu, 'x') : value
  })
}

function matcher({ query, columns }: Search, wrong: Wrong): SearchMatcher {
  const { required, excluded } = query
  if (
    wrong('cannot run searches with operators') &&
    required.some(({ words }) => words.length > 1 || words.includes('or'))
  )
    throw new Error('This search cannot be run.')
  const terms = wrong('searches for the words of a phrase one by one')
    ? required.flatMap(({ words, isPrefix }) => words.map((word) => ({ words: [word], isPrefix })))
    : required
  const isBeginning = wrong('searches for beginnings of words')
  return searchMatcher(
    {
      required: isBeginning ? terms.map((term) => ({ ...term, isPrefix: true })) : terms,
      excluded: wrong('takes no notice of excluded words') ? [] : excluded,
    },
    columns.map(({ weight }) => weight),
  )
}
