import type { WriteStream } from 'node:tty'
import type { Shell } from './command.js'

/** Shorter work is not shown, so that quick commands do not flicker. */
const SHOWN_AFTER_MILLISECONDS = 400

/** Runs work that may take more than a second. On a terminal, the text is shown until it ends. */
export async function withProgress<Result>(
  { progress }: Pick<Shell, 'progress'>,
  text: string | (() => string),
  work: () => Promise<Result>,
): Promise<Result> {
  const end = progress?.(text)
  try {
    return await work()
  } finally {
    end?.()
  }
}

/** Returns the function that shows progress on a stream; `undefined` if the stream is not a terminal that can erase a line. */
export function progressOn(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  environment: Readonly<Record<string, string | undefined>>,
): Shell['progress'] {
  if (!stream.isTTY || environment['TERM'] === 'dumb' || environment['CI'] !== undefined) return undefined
  const erase = '\r\u001B[2K'
  return (text) => {
    const start = performance.now()
    const show = (): void => {
      const seconds = Math.floor((performance.now() - start) / 1000)
      stream.write(`${erase}${typeof text === 'string' ? text : text()} …${seconds === 0 ? '' : ` ${seconds} s`}`)
    }
    let repeated: NodeJS.Timeout | null = null
    const first = setTimeout(() => {
      show()
      repeated = setInterval(show, 1000).unref()
    }, SHOWN_AFTER_MILLISECONDS).unref()
    return () => {
      clearTimeout(first)
      if (repeated === null) return
      clearInterval(repeated)
      stream.write(erase)
    }
  }
}
