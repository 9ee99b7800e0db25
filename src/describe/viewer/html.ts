/** Text that is already HTML. Everything else is escaped. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** A value in a template: a text, which is escaped, HTML, or a list of HTML. */
export type HtmlValue = string | number | Html | readonly Html[]

/**
 * Returns HTML with the values of a template: texts and numbers are escaped for elements and for attributes in double quotes, so that no
 * declaration can add markup to a page.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = values.map((value, index) => `${textOf(value)}${strings[index + 1] ?? ''}`)
  return new Html((strings[0] ?? '') + parts.join(''))
}

/** Empty HTML. */
export const nothing: Html = new Html('')

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.toString()
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return value.map(String).join('')
}

const entities: Readonly<Record<string, string>> = Object.freeze({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
