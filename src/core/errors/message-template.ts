/**
 * Replaces `{name}` placeholders with their values. A placeholder without a value stays unchanged. The text is replaced
 * in one pass, so a value that looks like a placeholder is not replaced again; clients choose some of the values.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, { toString(): string }>>): string {
  if (!template.includes('{')) return template
  return template.replace(/\{(\w+)\}/g, (token, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : token,
  )
}
