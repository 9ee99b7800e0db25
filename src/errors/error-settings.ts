import {
  compileMappers,
  type ExceptionMap,
  type ExceptionMapper,
  type MappingFault,
  mappingFaults,
} from './exception-mapping.js'
import { type MessageCatalogue, type MessageResolver, messageResolver } from './messages.js'

/** The part of a pino logger that the service needs for errors. */
export interface ErrorLogger {
  /** The throwable comes under `err`, which pino serializes, and under `exception`. */
  error(members: { readonly err: unknown; readonly exception: unknown }, message: string): unknown
}

/** How a server answers failures. */
export interface ErrorSettings {
  /** Shows messages and traces of exceptions to the client. Off unless set. */
  readonly debug?: boolean | undefined
  /** Gets the unexpected throwables, and nothing else. */
  readonly logger?: ErrorLogger | null | undefined
  readonly messages?: MessageCatalogue | MessageResolver | null | undefined
  readonly mappers?: readonly ExceptionMapper[] | undefined
  readonly exceptionMap?: ExceptionMap | undefined
}

/** The settings in the form that answering a failure reads: nothing is sorted or looked up twice. */
export interface CompiledErrorSettings {
  readonly debug: boolean
  readonly logger: ErrorLogger | null
  readonly resolver: MessageResolver | null
  readonly mappers: readonly ExceptionMapper[]
}

/** Every fault of the settings that would keep a failure from being answered as they say. */
export function errorSettingFaults({ mappers = [], exceptionMap = [] }: ErrorSettings): readonly MappingFault[] {
  return mappingFaults(mappers, exceptionMap)
}

/** Done once for a server. Throws a `TypeError` that names every fault. */
export function compileErrorSettings(settings: ErrorSettings = {}): CompiledErrorSettings {
  const faults = errorSettingFaults(settings)
  if (faults.length > 0) {
    throw new TypeError(faults.map(({ member, problem, remedy }) => `${member}: ${problem}; ${remedy}.`).join('\n'))
  }
  return Object.freeze({
    debug: settings.debug === true,
    logger: settings.logger ?? null,
    resolver: settings.messages ? messageResolver(settings.messages) : null,
    mappers: compileMappers(settings.mappers ?? [], settings.exceptionMap ?? []),
  })
}
