import type { RequestServices } from '../../../serve/read/read-context.js'
import type { Handler } from '../../../serve/handler/handler.js'
import type { Negotiator } from '../../../serve/negotiate/negotiator.js'
import { createNegotiator } from '../../../serve/negotiate/negotiator.js'
import type { ExtensionCall } from '../../../serve/operation/extension-call.js'
import type { ResponseValue, ResultsValue } from '../../../serve/operation/response-value.js'
import type { DeclarationFault } from '../../../declare/resource/parts/declaration-fault.js'
import type { RouteTable } from '../../../serve/route/route-table.js'
import type { DescribedExtension } from '../../../describe/openapi/described-server.js'
import type { ExtensionRoute } from '../../../serve/route/route-server.js'
import { invariant } from '../../../core/util/invariant.js'

/** A JSON:API extension with its own endpoint, under the prefix of each server. {@link atomic} creates one. */
export interface ServerExtension extends DescribedExtension {
  /** Whether the endpoint exists. Default: true. */
  readonly enabled?: boolean
  /** URIs of further extensions whose members its documents may have. Default: none. */
  readonly furtherExtensions?: readonly string[]
  /** The faults of its options. */
  readonly faults?: readonly DeclarationFault[]
  /**
   * Returns a type that a call writes, if its document names one. The store of that type also stores the response to a request
   * with an `Idempotency-Key`. Default: the first store of the server that can.
   */
  readonly writtenType?: (document: unknown) => string | null
  /** Called once, when the server is built. */
  readonly serve: (host: ExtensionHost) => ExtensionHandler
}

/** Handles a call of the endpoint of the extension. */
export type ExtensionHandler = (call: ExtensionCall) => Promise<ResponseValue | ResultsValue>

/** The parts of the server that an extension can use. */
export interface ExtensionHost {
  /** Runs operations; `null` on a server that handles nothing. */
  readonly handler: Handler | null
  /** Whether it is the built-in handler, without a user-defined handler around it. */
  readonly isBuiltIn: boolean
  readonly services: RequestServices
  readonly routes: RouteTable
  /** If it is empty, links have the scheme and host of the request. */
  readonly baseUri: string
}

/** An extension that is ready to handle requests. */
export interface ServedExtension {
  /** Negotiates `POST` requests, which must name the extension in their media types. */
  readonly requiringNegotiator: Negotiator
  /** Negotiates other requests to the endpoint, which may name the extension. */
  readonly permissiveNegotiator: Negotiator
  /** See {@link ServerExtension}. */
  readonly writtenType: (document: unknown) => string | null
  readonly run: ExtensionHandler
}

/** @param profiles the URIs of the registered profiles */
export function servedExtensions(
  extensions: readonly ServerExtension[],
  profiles: readonly string[],
  host: ExtensionHost,
): ReadonlyMap<string, ServedExtension> {
  return new Map(
    extensions.map(({ uri, furtherExtensions = [], serve, writtenType = noType }) => {
      const supported = [uri, ...furtherExtensions]
      const requiringNegotiator = createNegotiator({ profiles, extensions: supported, requiredExtension: uri })
      const permissiveNegotiator = createNegotiator({ profiles, extensions: supported })
      return [uri, { requiringNegotiator, permissiveNegotiator, writtenType, run: serve(host) }]
    }),
  )
}

function noType(): null {
  return null
}

export function extensionOf(
  extensions: ReadonlyMap<string, ServedExtension>,
  { uri }: Pick<ExtensionRoute, 'uri'>,
): ServedExtension {
  const extension = extensions.get(uri)
  invariant(extension !== undefined, `this server does not support the extension '${uri}'`)
  return extension
}
