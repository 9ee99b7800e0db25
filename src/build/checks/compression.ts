import { zstd } from '../../http/content-coding.js'
import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { levelsOf } from '../declared/compression-settings.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks the setting `compression`. */
export const compression: BuildRule = ({ settings }) => {
  const value: unknown = settings.compression
  if (value === undefined || typeof value === 'boolean') return []
  if (!isPlainObject(value)) {
    return [settingFault('compression', `is ${describeValue(value)}`, 'give true, or an object: { minBytes: 4096 }')]
  }
  const { encodings, minBytes, levels, ...unknown } = value
  return [
    ...Object.keys(unknown).map((name) =>
      settingFault(`compression.${name}`, 'is not an option', 'use encodings, minBytes, levels'),
    ),
    ...(encodings === undefined ? [] : encodingFaults(encodings)),
    ...(minBytes === undefined || isWhole(minBytes, 0, Number.MAX_SAFE_INTEGER)
      ? []
      : [settingFault('compression.minBytes', `is ${describeValue(minBytes)}`, 'give a whole number of bytes')]),
    ...(levels === undefined ? [] : levelFaults(levels)),
  ]
}

function encodingFaults(encodings: unknown): readonly BuildFault[] {
  const isList = Array.isArray(encodings) && encodings.length > 0 && new Set(encodings).size === encodings.length
  if (!isList || !encodings.every((coding) => Object.hasOwn(levelsOf, coding))) {
    const remedy = "give a list of 'zstd', 'br' and 'gzip', the preferred one first"
    return [settingFault('compression.encodings', `is ${describeValue(encodings)}`, remedy)]
  }
  if (zstd !== null || !encodings.includes('zstd')) return []
  const remedy = 'leave it out, or use Node 22.15 or later'
  return [settingFault('compression.encodings', "names 'zstd', which this version of Node lacks", remedy)]
}

function levelFaults(levels: unknown): readonly BuildFault[] {
  if (!isPlainObject(levels)) {
    const remedy = 'give an object of levels by coding: { br: 4, gzip: 6 }'
    return [settingFault('compression.levels', `is ${describeValue(levels)}`, remedy)]
  }
  return Object.entries(levels).flatMap(([coding, level]) => {
    const member = `compression.levels.${coding}`
    if (!Object.hasOwn(levelsOf, coding)) return [settingFault(member, 'is not a coding', 'use zstd, br, gzip')]
    const [lowest, highest] = levelsOf[coding as keyof typeof levelsOf]
    if (level === undefined || isWhole(level, lowest, highest)) return []
    return [settingFault(member, `is ${describeValue(level)}`, `give a whole number from ${lowest} to ${highest}`)]
  })
}

function isWhole(value: unknown, lowest: number, highest: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= lowest && value <= highest
}
