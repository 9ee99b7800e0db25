// @ts-check
/** What the commands of the benchmarks have in common: which parts somebody asks for, and the middle of what was measured. */

/**
 * @template {string} Name
 * @param {string} option @param {string | undefined} text @param {readonly Name[]} all
 * @param {readonly Name[]} [usual] those of somebody who asks for none
 * @returns {readonly Name[]}
 */
export function chosen(option, text, all, usual = all) {
  if (text === undefined) return usual
  const asked = text.split(',')
  const unknown = asked.filter((name) => !all.some((one) => one === name))
  if (unknown.length > 0) throw new Error(`--${option} knows ${all.join(', ')}, and not ${unknown.join(', ')}.`)
  return all.filter((name) => asked.includes(name))
}

/** @param {readonly number[]} values @returns {number} */
export function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
