import { acceptedAmong } from '../../core/document/accepted-types.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import { sentMediaTypes } from '../../declare/resource/actions/compiled-action.js'
import { refuseAccept } from '../../serve/handler/bytes-response.js'
import type { Negotiated } from '../../serve/negotiate/accept.js'
import { bodyTypeOf } from '../../serve/negotiate/body-type.js'
import type { Negotiator } from '../../serve/negotiate/negotiator.js'

/** An action may take and send bytes instead of documents. */
export function negotiateAction(request: HttpRequest, action: CompiledAction, negotiator: Negotiator): Negotiated {
  inputTypeOf(request, action)
  const offered = sentMediaTypes(action)
  if (offered === null) return negotiator.negotiate(request)
  const accept = request.header('accept')
  if (acceptedAmong(accept, offered).length > 0) return noneNegotiated
  // An action may also respond without a body.
  return action.responses.length > 1 ? negotiator.negotiate(request) : refuseAccept(accept, offered)
}

const noneNegotiated: Negotiated = Object.freeze({ profiles: Object.freeze([]), extensions: Object.freeze([]) })

/** Returns the media type of the bytes that an action takes; `null` if it takes none. Fails with 415 if it does not take them. */
export function inputTypeOf(request: HttpRequest, { inputMediaTypes, methods }: CompiledAction): string | null {
  const takesBytes = inputMediaTypes !== null && methods.some((each) => each === request.method)
  return takesBytes ? bodyTypeOf(request, inputMediaTypes) : null
}
