import type { ContextValue } from './catalogue.js'

/** The placeholder values of one error, by placeholder name. Responses show them only inside messages. */
export interface MessageValues {
  readonly [name: string]: ContextValue
}

/**
 * Replaces `{name}` placeholders with their values. A placeholder without a value stays unchanged. The text is replaced
 * in one pass, so a value that looks like a placeholder is not replaced again; clients choose some of the values.
 */
export function fillTemplate(template: string, values: MessageValues): string {
  if (!template.includes('{')) return template
  return template.replace(/\{(\w+)\}/g, (token, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : token,
  )
}
