import type { Change } from '../../comparison/compare/change.js'
import { changeKinds } from '../../comparison/kinds/change-kinds.js'
import { UsageError } from '../command.js'
import { nearestWord } from '../../../core/util/nearest-word.js'

/** A change that the user has accepted, with the reason. */
interface Acceptance {
  readonly code: string
  readonly place: string
  readonly reason: string
}

/**
 * Reads a list of accepted changes: a line for each, with its code, its place and the reason after a `#`.
 *
 * @throws {UsageError} with the number of the first invalid line
 */
export function readAcceptances(text: string, file: string): readonly Acceptance[] {
  return text.split('\n').flatMap((line, index): readonly Acceptance[] => {
    const [entry = '', ...reasons] = line.split('#')
    const [code = '', ...place] = entry.trim().split(/\s+/)
    if (code === '') return []
    const reason = reasons.join('#').trim()
    const at = `Line ${index + 1} of '${file}'`
    if (!Object.hasOwn(changeKinds, code)) {
      const nearest = nearestWord(code, Object.keys(changeKinds))
      throw new UsageError(
        `${at}: there is no change '${code}'.${nearest === null ? '' : ` Did you mean '${nearest}'?`}`,
      )
    }
    if (place.length === 0) throw new UsageError(`${at} has no place: write ${code} albums.title # the reason`)
    if (reason === '') throw new UsageError(`${at} has no reason: write it after a #.`)
    return [{ code, place: place.join(' '), reason }]
  })
}

/** The changes, sorted by whether they are accepted. */
export interface SortedChanges {
  readonly open: readonly Change[]
  readonly accepted: readonly (Change & { readonly reason: string })[]
  /** The accepted changes that do not occur. */
  readonly unused: readonly string[]
}

export function sortChanges(changes: readonly Change[], acceptances: readonly Acceptance[]): SortedChanges {
  const reasonOf = (change: Change): string | undefined =>
    acceptances.find(({ code, place }) => code === change.code && place === change.place)?.reason
  return {
    open: changes.filter((change) => reasonOf(change) === undefined),
    accepted: changes.flatMap((change) => {
      const reason = reasonOf(change)
      return reason === undefined ? [] : [{ ...change, reason }]
    }),
    unused: acceptances
      .filter(({ code, place }) => !changes.some((change) => change.code === code && change.place === place))
      .map(({ code, place }) => `${code} ${place}`),
  }
}
