import {
  compileMappers,
  type ExceptionMap,
  type ExceptionMapper,
  type MappingFault,
  mappingFaults,
} from './exception-mapping.js'
import type { ErrorLog, ErrorLogger } from './error-log.js'
import { type MessageCatalogue, type MessageResolver, messageResolver } from './messages.js'

/**
 * Settings for the error responses of a server.
 *
 * @example
 * ```ts
 * const errors: ErrorSettings = { debug: true, exceptionMap: [[RangeError, 422]] }
 * createServer({ resources: [albums, artists], data: memoryData(), ...errors })
 * ```
 */
export interface ErrorSettings {
  /** Shows messages and stack traces of exceptions to the client. Default: false. */
  readonly debug?: boolean | undefined
  /**
   * Logs unexpected exceptions as errors. Values that a database refused are logged as information, if the logger has `info`.
   * `null` logs nothing. Default: writes unexpected exceptions with their stack to the standard error stream.
   */
  readonly logger?: ErrorLogger | null | undefined
  readonly messages?: MessageCatalogue | MessageResolver | null | undefined
  readonly mappers?: readonly ExceptionMapper[] | undefined
  readonly exceptionMap?: ExceptionMap | undefined
}

/** The settings prepared once for a server: the mappers are sorted, and the defaults are filled in. */
export interface CompiledErrorSettings {
  readonly debug: boolean
  readonly logger: ErrorLog
  readonly resolver: MessageResolver | null
  readonly mappers: readonly ExceptionMapper[]
}

/** Returns every fault of the exception mappers and the exception map. */
export function errorSettingFaults({ mappers = [], exceptionMap = [] }: ErrorSettings): readonly MappingFault[] {
  return mappingFaults(mappers, exceptionMap)
}

/** Prepares the settings, once for a server. Throws a `TypeError` that names every fault. */
export function compileErrorSettings(settings: ErrorSettings = {}): CompiledErrorSettings {
  const faults = errorSettingFaults(settings)
  if (faults.length > 0) {
    throw new TypeError(faults.map(({ member, problem, remedy }) => `${member}: ${problem}; ${remedy}.`).join('\n'))
  }
  return Object.freeze({
    debug: settings.debug === true,
    logger: settings.logger === undefined ? 'default' : settings.logger,
    resolver: settings.messages ? messageResolver(settings.messages) : null,
    mappers: compileMappers(settings.mappers ?? [], settings.exceptionMap ?? []),
  })
}
