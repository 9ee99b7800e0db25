import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { TypeHeaders } from '../../declare/resource/compiled/type-headers.js'
import type { EnumerationSchema } from './value-schema.js'

/** The parts of a server that the contracts of its types depend on. */
export interface ContractScope {
  /** The name of the server. */
  readonly server: string
  readonly maxIncludeDepth: number
  /** Returns a reference to a named set of values. */
  readonly enumerations: EnumerationSchema
  readonly headersOf: (type: CompiledType) => TypeHeaders
}
