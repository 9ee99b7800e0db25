import type { CompiledVersion } from '../../resource/versions/version.js'
import { isPlainObject } from '../../util/deep-freeze.js'

/**
 * Reads `version`. The rule versions reports its faults.
 *
 * @param byDefault the setting of the server for types that declare none
 */
export function readVersion(declared: unknown, byDefault: unknown): CompiledVersion | null {
  if (declared === null) return null
  if (declared === undefined) return byDefault === 'hash' ? hashed({}) : null
  const options = isPlainObject(declared) ? declared : { column: declared }
  if (options['hash'] === true) return hashed(options)
  const { column, as } = options
  if (typeof column !== 'string') return null
  const kind = as === 'instant' ? 'instant' : column === 'xmin' ? 'xmin' : 'integer'
  return Object.freeze({ kind, column, ...flags(options) })
}

type Options = Readonly<Record<string, unknown>>

function hashed(options: Options): CompiledVersion {
  return Object.freeze({ kind: 'hash', column: null, ...flags(options) })
}

function flags({ required, inMeta }: Options): Pick<CompiledVersion, 'required' | 'inMeta'> {
  return { required: required === true, inMeta: inMeta === true }
}
