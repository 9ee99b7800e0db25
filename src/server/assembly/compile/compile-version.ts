import { createSecretKey } from 'node:crypto'
import type { CompiledVersion } from '../../../declare/resource/parts/version.js'
import { secretList } from './secret-list.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'

/**
 * Reads `version`. The rule versions reports its faults.
 *
 * @param settings the version settings of the server
 */
export function readVersion(declared: unknown, { versions, secret }: VersionSettings): CompiledVersion | null {
  if (declared === null) return null
  if (declared === undefined) return versions === 'hash' ? hashed({}, secret) : null
  const options = isPlainObject(declared) ? declared : { column: declared }
  if (options['hash'] === true) return hashed(options, secret)
  const { column, as } = options
  if (typeof column !== 'string') return null
  const kind = as === 'instant' ? 'instant' : column === 'xmin' ? 'xmin' : 'integer'
  return Object.freeze({ kind, column, ...flags(options) })
}

/** The settings of a server for versions, not validated. */
export interface VersionSettings {
  readonly versions?: unknown
  readonly secret?: unknown
}

type Options = Readonly<Record<string, unknown>>

function hashed(options: Options, secret: unknown): CompiledVersion {
  // A server without a secret is not built. Of several secrets, the first one makes the hashes.
  const [first] = secretList(secret) ?? []
  const key = createSecretKey(typeof first === 'string' ? first : '', 'utf8')
  return Object.freeze({ kind: 'hash', column: null, secret: key, ...flags(options) })
}

function flags({ required, inMeta }: Options): Pick<CompiledVersion, 'required' | 'inMeta'> {
  return { required: required === true, inMeta: inMeta === true }
}
