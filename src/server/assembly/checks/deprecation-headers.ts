import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isHeaderText } from './header-text.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that deprecation headers have values that can be sent, and that a `sunsetLink` has a `sunset`. */
export const deprecationHeaders: BuildRule = (context) => [
  ...faultsOf({ ...context.settings }, undefined).map((fault): BuildFault => ({ ...fault, type: null })),
  ...headersOfTypes(context),
]

const headersOfTypes = eachType(({ rawMembers }, { settings }) => faultsOf(rawMembers, settings.sunset))

/** @param defaultSunset the date of the server, which applies to a type without one */
function faultsOf(
  { deprecation, sunset, sunsetLink }: Readonly<Record<string, unknown>>,
  defaultSunset: string | undefined,
): readonly TypeFault[] {
  const faults: TypeFault[] = []
  const unsendable = (member: string, value: unknown, as: string, remedy: string): void => {
    faults.push({ member, problem: `${describeValue(value)} cannot be sent as ${as}`, remedy })
  }
  if (deprecation !== undefined && typeof deprecation !== 'boolean' && !isHeaderText(deprecation)) {
    unsendable('deprecation', deprecation, 'a header', 'give true, or a string on one line')
  }
  if (sunset !== undefined && !isHeaderText(sunset)) {
    unsendable('sunset', sunset, 'a header', "give an HTTP date: 'Thu, 31 Dec 2026 23:59:59 GMT'")
  }
  if (sunsetLink !== undefined && !isLink(sunsetLink)) {
    unsendable('sunsetLink', sunsetLink, 'a link', "give a URL: 'https://example.com/sunset'")
  }
  if (sunsetLink !== undefined && sunset === undefined && defaultSunset === undefined) {
    const remedy = "add the date: sunset: 'Thu, 31 Dec 2026 23:59:59 GMT'"
    faults.push({ member: 'sunsetLink', problem: 'is never sent without a sunset', remedy })
  }
  return faults
}

function isLink(value: unknown): boolean {
  return typeof value === 'string' && /^[\u{21}-\u{7E}]+$/u.test(value) && !/[<>"]/.test(value)
}
