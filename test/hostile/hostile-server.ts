import { createServer, defineResource, id, model, type Server } from 'ashlar'
import { storedData } from '../support/stored-data.js'

/** Accepts as much as a type can: any client id, any text, any number, any JSON. */
export const notes = defineResource('notes', {
  model: model<{ id: string; text: string | null; amount: number | null; tags: readonly string[]; extra: object }>(
    'notes',
  ),
  id: id().allowClientId(),
  attributes: (a) => ({
    text: a.string().nullable(),
    amount: a.decimal().nullable(),
    tags: a.arrayList(),
    extra: a.arrayHash(),
    shape: a
      .object()
      .computed()
      .extractUsing(() => ({}))
      .fields({ inner: a.string() }),
  }),
})

export type HostileServer = Server<readonly [typeof notes]>

/** A fresh server with one row. */
export function hostileServer(): HostileServer {
  const rows = [{ id: 'first', text: 'x', amount: 1, tags: [], extra: {} }]
  return createServer({ resources: [notes], data: storedData({ notes: rows }) })
}

/** The form of a stack trace, or of a message that is not for the client. */
export const leak: RegExp = /\bat .+:\d+:\d+|node_modules|TypeError|RangeError|SyntaxError|\.ts\b/
