import type { CommandDescription } from './command.js'
import { optionText, usageText } from './help-text.js'
import { paintFor } from './paint.js'
import { moduleNote } from './shared-options.js'

/** Returns the reference of all commands as Markdown, for docs/reference/command-line.md. */
export function referenceText(commands: readonly CommandDescription[]): string {
  return commands.map(chapter).join('\n\n')
}

function chapter(command: CommandDescription): string {
  const { name, description, examples, exitCodes } = command
  // The options of all commands are listed once, at the top of the page.
  const options = Object.entries(command.options).map(([option, declared]) =>
    row([`\`${optionText(option, declared)}\``, proseOf(declared.description)]),
  )
  const codes = Object.entries(exitCodes).map(([code, when]) => row([code, proseOf(when)]))
  return [
    `## \`ashlar ${name}\``,
    `\`\`\`text\n${usageText(command, paintFor({}))}\n\`\`\``,
    ...description.filter((paragraph) => paragraph !== moduleNote).map(proseOf),
    ...(options.length === 0 ? [] : [['| Option | |', '|---|---|', ...options].join('\n')]),
    ['| Exit code | |', '|---|---|', ...codes].join('\n'),
    `\`\`\`sh\n${examples.map(({ call, description: text }) => `# ${text}\n${call}`).join('\n')}\n\`\`\``,
  ].join('\n\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
}

/** Formats options as code, and escapes placeholders, which Markdown would parse as tags. */
function proseOf(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/(?<![\w`-])--[a-z][a-z-]*/g, '`$&`')
}
