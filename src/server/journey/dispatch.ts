import type { ActionCall } from '../../serve/operation/action-call.js'
import type { ExtensionCall } from '../../serve/operation/extension-call.js'
import type { Operation } from '../../serve/operation/operation.js'
import { dispatchedError } from '../../core/errors/dispatched-error.js'
import { fireServing } from '../../serve/operation/serving-event.js'
import type { ResponseValue, ResultsValue } from '../../serve/operation/response-value.js'
import { extensionOf } from '../assembly/declared/extension.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { Service } from '../assembly/service.js'

type InputOf<O> = O extends Operation | ActionCall | ExtensionCall
  ? Omit<O, 'query' | 'profiles' | 'context'> & {
      /** As in a URL: `fields[albums]=title`. */
      readonly query?: string
      /** URIs of profiles to apply. Profiles that are not registered are ignored. Default: none. */
      readonly profiles?: readonly string[]
      /** The name of the server. Default: `default`. */
      readonly server?: string
      /** The caller. No middleware runs. Default: `null`, an anonymous caller. */
      readonly as?: Caller
    }
  : never

/** An operation, or a call of an action or an extension, as an application passes it to `server.dispatch()`. */
export type DispatchInput = InputOf<Operation | ActionCall | ExtensionCall>

/**
 * The result of `server.dispatch()` for a {@link DispatchInput}. A call of an extension may also return a
 * `ResultsValue`.
 */
export type Dispatched<Input extends DispatchInput> = Input extends { readonly kind: 'Extension' }
  ? ResponseValue | ResultsValue
  : ResponseValue

/** Runs the steps of a request that come after routing and before rendering. */
export function dispatch(services: Service, input: DispatchInput): Promise<ResponseValue | ResultsValue> {
  const { telemetry } = services
  if (telemetry === null) return runMarked(services, input)
  const name = input.kind === 'Extension' ? input.kind : `${input.kind} ${input.type}`
  return telemetry.dispatch(name, () => runMarked(services, input))
}

/** Marks the error of the operation, so that it has no sources in the response to a request whose hook does not catch it. */
function runMarked(services: Service, input: DispatchInput): Promise<ResponseValue | ResultsValue> {
  return run(services, input).catch((thrown: unknown) => {
    throw dispatchedError(thrown)
  })
}

async function run(services: Service, input: DispatchInput): Promise<ResponseValue | ResultsValue> {
  const service = services.forServer(input.server ?? 'default')
  if (service.handler === null) {
    throw new Error('Nothing can be dispatched: the settings of this server have handler: null.')
  }
  const { query = '', profiles = [], server = 'default', as: caller = null, ...rest } = input
  const registered = [...new Set(profiles)].filter((uri) => service.profiles.some((profile) => profile.uri === uri))
  const common = {
    query: service.readQuery(query, registered),
    profiles: registered,
  }
  if (rest.kind === 'Extension') {
    if (!service.extensions.has(rest.extension)) {
      throw new Error(`Nothing can be dispatched: this server does not support the extension '${rest.extension}'.`)
    }
    const call = { ...rest, ...common, context: { server, caller, request: null } }
    await fireServing(service.serving, call)
    return extensionOf(service.extensions, { uri: call.extension }).run(call)
  }
  const operation = {
    ...rest,
    ...common,
    context: { server, type: rest.type, operation: rest.kind, caller, request: null },
  }
  await fireServing(service.serving, operation)
  return operation.kind === 'CustomAction' ? service.runAction(operation) : service.handler(operation)
}
