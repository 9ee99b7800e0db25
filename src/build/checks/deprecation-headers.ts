import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isHeaderText } from './header-text.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that deprecation headers have values that can be sent, and that a `sunsetLink` has a `sunset`. */
export const deprecationHeaders: BuildRule = eachType(({ rawMembers: { deprecation, sunset, sunsetLink } }) => [
  ...(deprecation === undefined || typeof deprecation === 'boolean' || isHeaderText(deprecation)
    ? []
    : [
        {
          member: 'deprecation',
          problem: `${describeValue(deprecation)} cannot be sent as a header`,
          remedy: 'give true, or a string on one line',
        },
      ]),
  ...(sunset === undefined || isHeaderText(sunset)
    ? []
    : [
        {
          member: 'sunset',
          problem: `${describeValue(sunset)} cannot be sent as a header`,
          remedy: "give an HTTP date: 'Thu, 31 Dec 2026 23:59:59 GMT'",
        },
      ]),
  ...(sunsetLink === undefined || isLink(sunsetLink)
    ? []
    : [
        {
          member: 'sunsetLink',
          problem: `${describeValue(sunsetLink)} cannot be sent as a link`,
          remedy: "give a URL: 'https://example.com/sunset'",
        },
      ]),
  ...(sunsetLink !== undefined && sunset === undefined
    ? [
        {
          member: 'sunsetLink',
          problem: 'is never sent without a sunset',
          remedy: "add the date: sunset: 'Thu, 31 Dec 2026 23:59:59 GMT'",
        },
      ]
    : []),
])

function isLink(value: unknown): boolean {
  return typeof value === 'string' && /^[\u{21}-\u{7E}]+$/u.test(value) && !/[<>"]/.test(value)
}
