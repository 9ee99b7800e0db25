import { zstd } from '../../../core/http/content-coding.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { levelsOf } from '../declared/compression-settings.js'
import type { OptionShapes } from '../declared/option-shapes.js'
import { isWhole, settingFaults, wholeNumber } from '../declared/option-shapes.js'

const shapes: OptionShapes = Object.freeze({
  encodings: {
    holds: isCodingList,
    remedy: "give a list of 'zstd', 'br' and 'gzip', the preferred one first",
  },
  minBytes: wholeNumber(0, 'give a whole number of bytes'),
  levels: { holds: isPlainObject, remedy: 'give an object of levels by coding: { br: 4, gzip: 6 }' },
})

const levelShapes: OptionShapes = Object.fromEntries(
  Object.entries(levelsOf).map(([coding, [lowest, highest]]) => [
    coding,
    {
      holds: (level) => isWhole(level, lowest) && level <= highest,
      remedy: `give a whole number from ${lowest} to ${highest}`,
    },
  ]),
)

/** Checks the setting `compression`. */
export const compression: BuildRule = ({ settings }) => {
  const value: unknown = settings.compression
  const faults = settingFaults('compression', value, {
    remedy: 'give true, or an object: { minBytes: 4096 }',
    otherwise: (given) => typeof given === 'boolean',
    shapes,
    unknown: { problem: 'is not an option', remedy: 'use encodings, minBytes, levels' },
  })
  return isPlainObject(value)
    ? [...faults, ...missingCoding(value['encodings']), ...levelFaults(value['levels'])]
    : faults
}

function isCodingList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return false
  return value.every((coding) => Object.hasOwn(levelsOf, coding))
}

function missingCoding(encodings: unknown): readonly BuildFault[] {
  if (zstd !== null || !Array.isArray(encodings) || !encodings.includes('zstd') || !isCodingList(encodings)) return []
  const remedy = 'leave it out, or use Node 22.15 or later'
  return [settingFault('compression.encodings', "names 'zstd', which this version of Node lacks", remedy)]
}

function levelFaults(levels: unknown): readonly BuildFault[] {
  if (!isPlainObject(levels)) return []
  const unknown = { problem: 'is not a coding', remedy: 'use zstd, br, gzip' }
  return settingFaults('compression.levels', levels, { remedy: '', shapes: levelShapes, unknown })
}
