import type { ServingEvent } from '../../serve/operation/serving-event.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { TypeEventName } from '../../declare/resource/events/type-events.js'
import { typeEventNames } from '../../declare/resource/events/type-events.js'
import type { AnyListener, ListenerList } from '../../core/util/listener-list.js'
import { describeValue, oneOf } from './declared/describe-value.js'
import type { ServedTypes } from './serve-types.js'

/** Removes a listener. */
export type RemoveListener = () => void

/** Adds a listener of an event: of one type if the second argument names it, else of all types. */
export type AddListener = (name: string, typeOrListener: unknown, listener?: unknown) => RemoveListener

/** The listeners of a server. */
interface ServerListeners {
  readonly types: ServedTypes
  readonly serving: ListenerList<ServingEvent>
}

/** Returns the function that adds listeners. It throws a `TypeError` for an event or a type that does not exist. */
export function listenerAdder({ types, serving }: ServerListeners): AddListener {
  const all = [...types.values()].flatMap((ofServer) => [...ofServer.values()])
  return (name, ...given) => {
    const [type, listener] = given.length < 2 || given[1] === undefined ? [null, given[0]] : given
    if (typeof listener !== 'function') {
      throw new TypeError(`The listener of '${name}' is ${describeValue(listener)}, but must be a function.`)
    }
    const called = listener as AnyListener<unknown>
    if (name === 'Serving') {
      if (type !== null) throw new TypeError("'Serving' has no type: it fires once for each request.")
      return serving.add(called)
    }
    if (!isTypeEvent(name)) {
      throw new TypeError(`There is no event '${name}'. Use ${oneOf(['Serving', ...typeEventNames])}.`)
    }
    return addToAll(name, called, type === null ? all : typesNamed(type, all))
  }
}

function isTypeEvent(name: string): name is TypeEventName {
  return (typeEventNames as readonly string[]).includes(name)
}

/** Several servers may have a type of the same name. */
function typesNamed(type: unknown, all: readonly ServedType[]): readonly ServedType[] {
  const named = all.filter((served) => served.type.type === type)
  if (named.length > 0) return named
  const known = oneOf([...new Set(all.map((served) => served.type.type))])
  throw new TypeError(`A listener names the type ${describeValue(type)}, which the server does not have. Use ${known}.`)
}

function addToAll(name: TypeEventName, listener: AnyListener<unknown>, types: readonly ServedType[]): RemoveListener {
  const removals = types.map(({ listeners }) => listeners.add(name, listener))
  return () => {
    for (const remove of removals) remove()
  }
}
