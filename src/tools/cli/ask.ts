import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'

/** The error of a prompt that the user has cancelled with Ctrl+C or Ctrl+D. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Prompts for a line on the terminal. Rejects with `Cancelled` if the user cancels the prompt. */
export function ask(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout })
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      // The message starts on a new line.
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
