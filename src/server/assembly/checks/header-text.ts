/** Printable one-byte characters, which a header value can contain. */
const headerText = /^[\t\u{20}-\u{7E}\u{80}-\u{FF}]+$/u

export function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && headerText.test(value)
}
