import type { ShownReply } from './exchange.js'

/** The placeholders of a page for values that differ in every run. */
const notations: Readonly<Record<string, string>> = {
  '<uuid>': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '<ulid>': '[0-9A-HJKMNP-TV-Z]{26}',
  '<hex>': '[0-9a-f]+',
  '<hash>': String.raw`[\w-]{22}`,
  '<moment>': String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)`,
}

const notation = new RegExp(Object.keys(notations).join('|'), 'g')

/** The values of placeholders in the responses of a page so far: a later request of the page may use them. */
export type Met = Map<string, string>

/** A text of a page with the last values instead of its placeholders. */
export function textWithValues(text: string, met: Met): string {
  return text.replaceAll(notation, (name) => met.get(name) ?? name)
}

/** A shown response with the values of the real response instead of its placeholders, wherever they match. */
export function replyWithValues(shown: ShownReply, response: ShownReply, met: Met): unknown {
  return withValues(shown, response, met)
}

/**
 * The placeholder of a page for a value that it leaves out, and as the name of members that it leaves out: `{ "title": "Kid A", "…":
 * "…" }`.
 */
const omission = '…'

function withValues(shown: unknown, received: unknown, met: Met): unknown {
  if (shown === omission && received !== undefined) return received
  if (typeof shown === 'string') return typeof received === 'string' ? stringWithValues(shown, received, met) : shown
  if (Array.isArray(shown)) {
    const members: readonly unknown[] = Array.isArray(received) ? received : []
    return shown.map((member, index) => withValues(member, members[index], met))
  }
  if (typeof shown !== 'object' || shown === null) return shown
  const members = (typeof received === 'object' && received !== null ? received : {}) as Record<string, unknown>
  const omitted = Object.entries(members).filter(([name]) => omission in shown && !(name in shown))
  return Object.fromEntries([
    ...omitted,
    ...Object.entries(shown).flatMap(([name, value]) =>
      name === omission && omitted.length > 0 ? [] : [[name, withValues(value, members[name], met)] as const],
    ),
  ])
}

function stringWithValues(shown: string, received: string, met: Met): string {
  const names = shown.match(notation)
  if (names === null) return shown
  const pattern = shown
    .split(notation)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .reduce((all, part, index) => `${all}(${notations[names[index - 1] ?? '']})${part}`)
  const values = new RegExp(`^${pattern}$`).exec(received)
  if (values === null) return shown
  for (const [index, name] of names.entries()) met.set(name, values[index + 1] ?? '')
  return received
}
