import { type MediaType, parseMediaTypes } from './media-type.js'

/**
 * Returns the media types that a header `Accept` allows, the preferred ones first: those with the highest weight, then those that are listed
 * first. A type has the weight of the most specific range that names it; a missing header accepts everything.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-accept
 */
export function acceptedAmong<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): readonly Type[] {
  if (accept === undefined || accept.trim() === '') return offered
  const ranges = parseMediaTypes(accept).filter(({ malformed }) => !malformed)
  const weighted = offered.map((type) => ({ type, weight: weightOf(type, ranges) }))
  return weighted
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ type }) => type)
}

function weightOf(type: string, ranges: readonly MediaType[]): number {
  for (const name of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const range = ranges.find((each) => each.name === name)
    if (range !== undefined) return weightIn(range)
  }
  return 0
}

function weightIn({ parameters }: MediaType): number {
  const sent = parameters.find(({ name }) => name === 'q')?.value
  // A malformed weight is ignored.
  return sent !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(sent) ? Number(sent) : 1
}

/** Returns whether a media type is among these: types, or ranges such as `image/*`. */
export function isAmong(mediaType: string, ranges: readonly string[]): boolean {
  const family = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`
  return ranges.some((range) => range === mediaType || range === family || range === '*/*')
}

/** Returns whether a media type may have scripts, which a browser would run with the rights of the service. */
export function isActiveContent(mediaType: string): boolean {
  return /html|xml|xsl|svg/.test(mediaType)
}
