import type { MessageValues } from './catalogue.js'
import { catalogue } from './catalogue.js'
import type { ErrorContext } from './error-context.js'
import { ignoreRejection } from './ignore-rejection.js'
import type { Problem } from './json-api-error.js'
import { fillTemplate } from './message-template.js'
import { Sentence } from './sentence.js'

export type MessageSlot = 'title' | 'detail'

/**
 * Templates that replace the built-in English messages, by error code. A missing template stays English. The sentence about a violated rule
 * has the key `VALIDATION_FAILED.<rule>`, such as `VALIDATION_FAILED.required`.
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

/**
 * Returns a template, for example for the `Accept-Language` of the request. If the result is not a string, the built-in
 * English template is used.
 *
 * @example
 * ```ts
 * const french: ErrorSettings['messages'] = (code, slot, { request }) =>
 *   request?.header('accept-language') === 'fr' && code === 'RESOURCE_NOT_FOUND' && slot === 'title'
 *     ? 'Ressource introuvable'
 *     : null
 * ```
 */
export type MessageResolver = (code: string, slot: MessageSlot, context: ErrorContext) => string | null | undefined

/** Turns message settings of either form into a resolver. */
export function messageResolver(messages: MessageCatalogue | MessageResolver): MessageResolver {
  return typeof messages === 'function' ? messages : (code, slot) => messages.jsonapi_errors?.[code]?.[slot]
}

interface MessageLookup {
  readonly resolver: MessageResolver | null
  readonly context: ErrorContext
}

/**
 * Returns the title or the detail of a problem. Placeholders are filled after the lookup, so translations use the same
 * names.
 */
export function messageText({ code, context: values }: Problem, slot: MessageSlot, lookup: MessageLookup): string {
  const { resolver, context } = lookup
  if (resolver === null) return fillTemplate(catalogue[code][slot], values)
  const template = override(resolver, code, slot, context) ?? catalogue[code][slot]
  return fillTemplate(template, withTranslation(values, lookup))
}

/** Translates the sentence about a violated rule. Its key is the same for values of bodies and of filters: `VALIDATION_FAILED.required`. */
function withTranslation(values: MessageValues, { resolver, context }: MessageLookup): MessageValues {
  const { message } = values
  if (resolver === null || !(message instanceof Sentence)) return values
  const template = override(resolver, `VALIDATION_FAILED.${message.rule}`, 'detail', context)
  return template === null ? values : { ...values, message: fillTemplate(template, message.values) }
}

function override(resolver: MessageResolver, code: string, slot: MessageSlot, context: ErrorContext): string | null {
  try {
    const template: unknown = resolver(code, slot, context)
    if (typeof template === 'string') return template
    ignoreRejection(template)
  } catch {
    // If a user-defined resolver throws, the built-in English message is used.
  }
  return null
}
