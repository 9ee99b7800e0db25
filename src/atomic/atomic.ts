import type { DeclarationFault } from '../resource/declaration-fault.js'
import { isPlainObject } from '../util/frozen.js'
import type { ServerExtension } from '../build/declared/extension.js'
import { runBatch } from './run-batch.js'

/** https://jsonapi.org/ext/atomic */
const atomicUri = 'https://jsonapi.org/ext/atomic'

export interface AtomicOptions {
  /** Where batches are sent to, under the prefix of each server. Default: `/operations`. */
  readonly path?: string
  /** Whether there is such an endpoint. Default: true. */
  readonly enabled?: boolean
  /** The most operations that a batch may have. Default: 1,000. */
  readonly maxOperations?: number
}

/**
 * The Atomic Operations extension: batches of operations that are all kept, or none of them.
 *
 * @example
 * ```ts
 * const server = createServer({
 *   resources: [albums, artists],
 *   data: memoryData(),
 *   extensions: [atomic({ path: '/operations' })],
 * })
 * ```
 */
export function atomic(options: AtomicOptions = {}): ServerExtension {
  const given: AtomicOptions = isPlainObject(options) ? options : {}
  const { path = '/operations', enabled = true, maxOperations = 1000 } = given
  return Object.freeze<ServerExtension>({
    uri: atomicUri,
    path,
    name: 'atomic_operations',
    enabled,
    faults: optionFaults(options),
    serve: (host) => (call) => runBatch(call, { host, maxOperations }),
  })
}

const known: Readonly<Record<keyof AtomicOptions, true>> = Object.freeze({
  path: true,
  enabled: true,
  maxOperations: true,
})

function optionFaults(options: AtomicOptions): readonly DeclarationFault[] {
  if (!isPlainObject(options))
    return [{ problem: 'has options that are no object', remedy: "write atomic({ path: '/operations' })" }]
  const { enabled, maxOperations } = options
  const strangers = Object.keys(options).filter((name) => !Object.hasOwn(known, name))
  const isCount = maxOperations === undefined || (Number.isInteger(maxOperations) && Number(maxOperations) > 0)
  return [
    ...strangers.map((name) => ({
      problem: `has the option '${name}', which there is not`,
      remedy: `use ${Object.keys(known).join(', ')}`,
    })),
    ...(enabled === undefined || typeof enabled === 'boolean'
      ? []
      : [{ problem: "has an 'enabled' that is no flag", remedy: 'give true or false' }]),
    ...(isCount
      ? []
      : [{ problem: "has a 'maxOperations' that is no number of operations", remedy: 'give a whole number above 0' }]),
  ]
}
