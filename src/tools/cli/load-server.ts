import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { cwd } from 'node:process'
import { pathToFileURL } from 'node:url'
import { thrownMessage } from '../../core/errors/describe-thrown.js'
import type { Server } from '../../server/journey/create-server.js'
import type { Shell } from './command.js'
import { UsageError } from './command.js'
import type { TransformError } from './typescript/transform-error.js'
import { typeImportHint } from './typescript/type-import-hint.js'

export type AnyServer = Server

export type LoadedServer =
  | { readonly kind: 'built'; readonly server: AnyServer }
  /** The reason for the failure, as a message for the user. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Returns the server that a module exports as default or as `server`, or that such an export creates when it is called.
 */
export async function loadServer(path: string, { importModule = imported }: Loader): Promise<LoadedServer> {
  const file = moduleFile(path)
  try {
    const server = await serverIn(await importModule(pathToFileURL(file).href))
    if (server !== null) return { kind: 'built', server }
  } catch (thrown) {
    return { kind: 'failed', reason: reasonOf(thrown, path) }
  }
  throw new UsageError(
    `The module '${path}' exports no server: export it, or a function that creates it, as default or as 'server'.`,
  )
}

type Loader = Pick<Shell, 'importModule'>

function imported(url: string): Promise<unknown> {
  return import(url)
}

/** Returns the server that a module exports, or that an export of it creates; null if there is none. */
export async function serverIn(module: unknown): Promise<AnyServer | null> {
  const exports = module as Readonly<Record<string, unknown>>
  for (const exported of [exports['default'], exports['server']]) {
    const server: unknown = typeof exported === 'function' ? await (exported as () => unknown)() : exported
    if (isServer(server)) return server
  }
  return null
}

function moduleFile(path: string): string {
  const file = resolve(cwd(), path)
  if (!existsSync(file) || !statSync(file).isFile()) throw new UsageError(`There is no module '${path}'.`)
  return file
}

/** Checks the shape: the package may be installed twice, and then the class of the other copy does not match. */
function isServer(value: unknown): value is AnyServer {
  if (typeof value !== 'object' || value === null) return false
  const { routes, types, inspect } = value as { readonly [Member in keyof AnyServer]?: unknown }
  return typeof routes === 'function' && Array.isArray(types) && typeof inspect === 'function'
}

/** Build faults are printed as sentences. For any other error, the stack trace shows where it comes from. */
function reasonOf(thrown: unknown, path: string): string {
  if (!(thrown instanceof Error)) return `The module '${path}' throws: ${thrownMessage(thrown)}`
  if (thrown.name === 'BuildError') return thrown.message
  if (thrown.name === 'TransformError') return transformReason(thrown as TransformError)
  if ((thrown as { readonly code?: unknown }).code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `Node cannot load '${path}': give the path of a JavaScript or TypeScript file.`
  }
  return `The module '${path}' cannot be loaded: ${traceOf(thrown)}${typeImportHint(thrown)}`
}

function transformReason({ location, message }: TransformError): string {
  return location === null ? message : `${location}: ${message}`
}

/** Returns the stack trace of an error and of its causes: discover() names the module, and the cause describes the problem. */
function traceOf({ stack, message, cause }: Error): string {
  const trace = stack ?? message
  return cause instanceof Error ? `${trace}\nCaused by: ${traceOf(cause)}` : trace
}
