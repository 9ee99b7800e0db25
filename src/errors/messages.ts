import { catalogue } from './catalogue.js'
import type { ErrorContext } from './error-context.js'
import { ignoreRejection } from './ignore-rejection.js'
import type { Problem } from './json-api-error.js'
import { fillTemplate } from './message-template.js'

export type MessageSlot = 'title' | 'detail'

/**
 * Templates in place of the built-in English, by code and slot. What is missing stays English.
 *
 * @example
 * ```ts
 * const messages: MessageCatalogue = {
 *   jsonapi_errors: { RESOURCE_NOT_FOUND: { title: 'Ressource introuvable' } },
 * }
 * ```
 */
export interface MessageCatalogue {
  readonly jsonapi_errors?: {
    readonly [code: string]: { readonly title?: string | undefined; readonly detail?: string | undefined }
  }
}

/** Looks a template up, for example by the request's Accept-Language. Anything but a string keeps the built-in English. */
export type MessageResolver = (code: string, slot: MessageSlot, context: ErrorContext) => string | null | undefined

/** The one form in which messages are looked up. */
export function messageResolver(messages: MessageCatalogue | MessageResolver): MessageResolver {
  return typeof messages === 'function' ? messages : (code, slot) => messages.jsonapi_errors?.[code]?.[slot]
}

/** The text of one slot of a problem. Placeholders are filled after the lookup, so translations use the same names. */
export function messageText(
  { code, context: values }: Problem,
  slot: MessageSlot,
  lookup: { readonly resolver: MessageResolver | null; readonly context: ErrorContext },
): string {
  const template = lookup.resolver && override(lookup.resolver, code, slot, lookup.context)
  return fillTemplate(template ?? catalogue[code][slot], values)
}

function override(resolver: MessageResolver, code: string, slot: MessageSlot, context: ErrorContext): string | null {
  try {
    const template: unknown = resolver(code, slot, context)
    if (typeof template === 'string') return template
    ignoreRejection(template)
  } catch {
    // A broken translation must not turn a clear answer into a failure; the built-in English stands in.
  }
  return null
}
