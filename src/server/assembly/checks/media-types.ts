import type { TypeFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
const range = /^(?:\*|[\w!#$&^.+-]+)\/\*$/

/** Checks the media types of `bytes()`. Only an input may have ranges of them. */
export function mediaTypeFaults(
  member: string,
  mediaTypes: readonly unknown[],
  form: 'exact' | 'range',
): readonly TypeFault[] {
  const example = "give media types: bytes('image/png')"
  if (mediaTypes.length === 0) return [{ member, problem: 'bytes() has no media type', remedy: example }]
  const wrong = mediaTypes.filter((each) => !isValid(each, form))
  return wrong.map((each) => ({
    member,
    problem: `bytes() has ${describeValue(each)}, which is not a media type${form === 'exact' ? '' : ' or a range of them'} without parameters`,
    remedy: example,
  }))
}

function isValid(value: unknown, form: 'exact' | 'range'): boolean {
  if (typeof value !== 'string') return false
  if (value.toLowerCase() === 'application/vnd.api+json') return false
  return mediaType.test(value) || (form === 'range' && range.test(value))
}
