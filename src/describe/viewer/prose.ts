import type { Html } from './html.js'
import { html } from './html.js'

/** Returns a description as HTML. Of Markdown it supports only code in backticks: everything else is shown as text. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : code(part)))}`
}

export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** Returns items with commas between them. */
export function commaList(items: readonly Html[]): Html {
  return html`${items.map((item, index) => (index === 0 ? item : html`, ${item}`))}`
}

/** A row of a table. */
export type Cells = readonly Html[]

/** Returns a table, without columns in which all cells are empty. On small screens the table can be scrolled. */
export function table(caption: string, heads: readonly string[], rows: readonly Cells[]): Html {
  const used = heads.map((_, column) => rows.some((cells) => String(cells[column]) !== ''))
  const isUsed = (_: unknown, column: number): boolean => used[column] === true
  return html`<div class="scrolling"><table>
<caption>${caption}</caption>
<thead><tr>${heads.filter(isUsed).map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.filter(isUsed).map(cellOf)}</tr>
`,
)}</tbody>
</table></div>
`
}

function cellOf(cell: Html, column: number): Html {
  return column === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`
}

/** The id of the section of a type. */
export function anchorOf(type: string): string {
  return `type-${type.replaceAll(' ', '_')}`
}

/** A link to the section of a type. */
export function typeLink(type: string): Html {
  return html`<a href="#${anchorOf(type)}">${type}</a>`
}
