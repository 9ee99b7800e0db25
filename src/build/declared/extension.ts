import type { HandlerServices } from '../../read/request-services.js'
import type { Handler } from '../../handler/handler.js'
import type { Negotiator } from '../../negotiate/negotiator.js'
import { createNegotiator } from '../../negotiate/negotiator.js'
import type { ExtensionCall } from '../../operation/extension-call.js'
import type { ResponseValue, ResultsValue } from '../../operation/response-value.js'
import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { ExtensionRoute, RouteTable } from '../../route/route-table.js'
import { invariant } from '../../util/invariant.js'

/** An extension of the format that the server speaks at a path of its own, under each server's prefix: see `atomic()`. */
export interface ServerExtension extends ExtensionRoute {
  /** Whether there is such an endpoint at all. Default: true. */
  readonly enabled?: boolean
  /** What is wrong with its options. */
  readonly faults?: readonly DeclarationFault[]
  /** Asked once, when the server is built. */
  readonly serve: (host: ExtensionHost) => ExtensionHandler
}

/** Answers a call of the extension's endpoint. */
export type ExtensionHandler = (call: ExtensionCall) => Promise<ResponseValue | ResultsValue>

/** What an extension has of the server that it is part of. */
export interface ExtensionHost {
  /** What runs operations; `null` on a server that handles nothing. */
  readonly handler: Handler | null
  /** Whether that is the built-in handler, with nothing of the author's in front of it. */
  readonly isBuiltIn: boolean
  readonly services: HandlerServices
  readonly routes: RouteTable
  /** Empty: the request says. */
  readonly baseUri: string
}

/** An extension as the journey meets it. */
export interface ServedExtension {
  /** For its own requests, which have to name it. */
  readonly speaking: Negotiator
  /** For others at its endpoint, which may. */
  readonly listening: Negotiator
  readonly run: ExtensionHandler
}

/** @param profiles URIs of the registered ones */
export function servedExtensions(
  extensions: readonly ServerExtension[],
  profiles: readonly string[],
  host: ExtensionHost,
): ReadonlyMap<string, ServedExtension> {
  return new Map(
    extensions.map(({ uri, serve }) => {
      const speaking = createNegotiator({ profiles, extensions: [uri], requiredExtension: uri })
      const listening = createNegotiator({ profiles, extensions: [uri] })
      return [uri, { speaking, listening, run: serve(host) }]
    }),
  )
}

export function extensionOf(
  extensions: ReadonlyMap<string, ServedExtension>,
  { uri }: Pick<ExtensionRoute, 'uri'>,
): ServedExtension {
  const extension = extensions.get(uri)
  invariant(extension !== undefined, `this server does not speak the extension '${uri}'`)
  return extension
}
