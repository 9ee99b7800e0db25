// @ts-check
/** Functions that the commands of the benchmarks share: the parts that an option selects, and the median. */

/**
 * @template {string} Name
 * @param {string} option @param {string | undefined} text @param {readonly Name[]} all
 * @param {readonly Name[]} [defaults] the result without the option
 * @returns {readonly Name[]}
 */
export function chosen(option, text, all, defaults = all) {
  if (text === undefined) return defaults
  const names = text.split(',')
  const unknown = names.filter((name) => !all.some((one) => one === name))
  if (unknown.length > 0) throw new Error(`--${option} accepts ${all.join(', ')}, but not ${unknown.join(', ')}.`)
  return all.filter((name) => names.includes(name))
}

/** @param {readonly number[]} values @returns {number} */
export function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
