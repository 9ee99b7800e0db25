import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'

/** The user has answered a question with Ctrl+C or Ctrl+D. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Asks a question on the terminal, and returns the line of the answer. Rejects with `Cancelled` if there is none. */
export function ask(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout })
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      // The message begins in a new line.
      stdout.write('\n')
      reject(new Cancelled('Cancelled.'))
    }
    lines.once('close', cancel)
    lines.question(question, (answer) => {
      lines.off('close', cancel)
      lines.close()
      resolve(answer.trim())
    })
  })
}
