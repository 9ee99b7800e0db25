import type { DeclarationFault } from '../../declare/resource/parts/declaration-fault.js'
import { UPSERT_EXTENSION } from '../../core/document/media-type.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { ServerExtension } from '../assembly/declared/extension.js'
import { atomicComponents, describeAtomic } from './describe-atomic.js'
import { runBatch } from './run-batch.js'
import { writtenType } from './written-type.js'

/** https://jsonapi.org/ext/atomic */
const atomicUri = 'https://jsonapi.org/ext/atomic'

/** Options of {@link atomic}. */
export interface AtomicOptions<Path extends string = string, Enabled extends boolean = boolean> {
  /** The path of the endpoint for batches, under the prefix of each server. Default: `/operations`. */
  readonly path?: Path
  /** Whether the endpoint exists. Default: true. */
  readonly enabled?: Enabled
  /** The maximum number of operations in a batch. Default: 1,000. */
  readonly maxOperations?: number
}

/** The Atomic Operations extension, as {@link atomic} creates it. */
export interface AtomicExtension<Path extends string, Enabled extends boolean> extends ServerExtension {
  readonly uri: typeof atomicUri
  readonly path: Path
  readonly enabled: Enabled
}

/**
 * Creates the Atomic Operations extension: a batch of operations is committed or rolled back as a whole.
 *
 * @example
 * ```ts
 * const server = createServer({
 *   resources: [albums, artists],
 *   data: memoryData(),
 *   extensions: [atomic({ path: '/operations', maxOperations: 100 })],
 * })
 * ```
 */
export function atomic<const Path extends string = '/operations', const Enabled extends boolean = true>(
  options: AtomicOptions<Path, Enabled> = {},
): AtomicExtension<NoInfer<Path>, NoInfer<Enabled>> {
  const checked: AtomicOptions = isPlainObject(options) ? options : {}
  const { path = '/operations', enabled = true, maxOperations = 1000 } = checked
  return Object.freeze<AtomicExtension<Path, Enabled>>({
    uri: atomicUri,
    path: path as Path,
    name: 'atomic_operations',
    enabled: enabled as Enabled,
    furtherExtensions: [UPSERT_EXTENSION],
    faults: optionFaults(options),
    componentNames: atomicComponents,
    describe: (api) => describeAtomic(api, { uri: atomicUri, maxOperations }),
    writtenType,
    serve: (host) => (call) => runBatch(call, { host, maxOperations }),
  })
}

const optionNames: Readonly<Record<keyof AtomicOptions, true>> = Object.freeze({
  path: true,
  enabled: true,
  maxOperations: true,
})

function optionFaults(options: AtomicOptions): readonly DeclarationFault[] {
  if (!isPlainObject(options))
    return [{ problem: 'has options that are not an object', remedy: "write atomic({ path: '/operations' })" }]
  const { enabled, maxOperations } = options
  const unknownNames = Object.keys(options).filter((name) => !Object.hasOwn(optionNames, name))
  const isCount = maxOperations === undefined || (Number.isInteger(maxOperations) && Number(maxOperations) > 0)
  return [
    ...unknownNames.map((name) => ({
      problem: `has the unknown option '${name}'`,
      remedy: `use ${Object.keys(optionNames).join(', ')}`,
    })),
    ...(enabled === undefined || typeof enabled === 'boolean'
      ? []
      : [{ problem: "has an 'enabled' that is not a boolean", remedy: 'set it to true or false' }]),
    ...(isCount
      ? []
      : [
          {
            problem: "has a 'maxOperations' that is not a positive integer",
            remedy: 'set it to a whole number above 0',
          },
        ]),
  ]
}
