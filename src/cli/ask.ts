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
    lines.once('close', () => reject(new Cancelled('Cancelled.')))
    lines.question(question, (answer) => {
      resolve(answer.trim())
      lines.close()
    })
  })
}
