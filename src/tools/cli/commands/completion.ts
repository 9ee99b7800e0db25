import type { Command, CommandDescription } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import { bashCompletion } from '../completion/bash.js'
import { fishCompletion } from '../completion/fish.js'
import { zshCompletion } from '../completion/zsh.js'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

const shells = ['bash', 'zsh', 'fish'] as const

/**
 * `ashlar completion <shell>`: prints a script that lets a shell complete commands and options.
 *
 * @param described returns all commands, which the script completes
 */
export function completionCommand(
  described: (completion: CommandDescription) => readonly CommandDescription[],
): Command {
  const description = {
    name: 'completion',
    summary: 'prints a script that lets a shell complete commands and options',
    description: ['Prints a completion script for bash, zsh or fish.'],
    parameters: [{ name: 'shell', noun: 'the name of a shell (bash, zsh, fish)', completes: shells }],
    options: {},
    examples: [
      {
        call: 'source <(ashlar completion bash)',
        description: 'For this shell, or in ~/.bashrc for every shell. zsh has the same form.',
      },
      {
        call: 'ashlar completion fish > ~/.config/fish/completions/ashlar.fish',
        description: 'For every new fish shell.',
      },
    ],
    exitCodes: {
      0: 'The script is printed.',
      1: 'Does not occur.',
      2: 'The arguments are invalid: unknown shell.',
    },
  } as const
  return defineCommand(description, async ({ shell }, output) => {
    const name = shells.find((known) => known === shell)
    if (name === undefined) throw new UsageError(`There is no script for '${shell}': use one of ${shells.join(', ')}.`)
    const script = scripts[name](described(description))
    output.out(script)
    return { code: 0, result: { shell: name, script } }
  })
}
