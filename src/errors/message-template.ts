import type { ContextValue } from './catalogue.js'

/** The values for the placeholders of one error, by placeholder name. Never on the wire by itself. */
export interface MessageValues {
  readonly [name: string]: ContextValue
}

/**
 * Fills `{name}` tokens. A token without a value stays as it is written. One pass, so a value that itself looks like
 * a token (clients choose some of them) is never filled again.
 */
export function fillTemplate(template: string, values: MessageValues): string {
  if (!template.includes('{')) return template
  return template.replace(/\{(\w+)\}/g, (token, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : token,
  )
}
