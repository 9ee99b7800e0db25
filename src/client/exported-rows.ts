import type { ErrorObject } from './client-error.js'

/** A body that is read line by line. */
export interface StreamedLines {
  readonly body: ReadableStream<Uint8Array>
  /** Ends the request. Until then, the signal of the call aborts it. */
  readonly end: () => void
}

/**
 * Reads the rows of an export, while they arrive. Throws if it is cut off: the last line then has errors, or is not complete, or the connection is
 * lost. Cancels the body if not all rows are read.
 */
export async function* exportedRows(
  { body, end }: StreamedLines,
  errorOf: (errors: readonly ErrorObject[]) => Error,
): AsyncGenerator<object> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let isDone = false; !isDone; ) {
      const { done, value } = await reader.read()
      isDone = done
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const row = JSON.parse(line) as { readonly id?: string; readonly errors?: readonly ErrorObject[] }
        // Each row has an id.
        if (row.id === undefined) throw errorOf(row.errors ?? [])
        yield row
      }
    }
    if (rest !== '') throw errorOf([{ title: 'The export is incomplete.' }])
  } finally {
    end()
    // The body of a lost connection rejects.
    await reader.cancel().catch(() => undefined)
  }
}
