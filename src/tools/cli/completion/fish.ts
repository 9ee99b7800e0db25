import type { CommandDescription, Completion } from '../command.js'
import { completedOptions, completedWords } from './completed-options.js'

/** Returns the completion script for fish. */
export function fishCompletion(commands: readonly CommandDescription[]): string {
  return [
    '# Completion of ashlar for fish: ashlar completion fish | source',
    'complete -c ashlar -f',
    ...commands.flatMap((command) => [
      `complete -c ashlar -n __fish_use_subcommand -a ${command.name} -d ${quotedForFish(command.summary)}`,
      ...wordLines(command),
      ...completedOptions(command).map(({ name, description, value, completes }) =>
        [
          `complete -c ashlar -n ${condition(command)} -l ${name}`,
          ...(value === null ? [] : ['-r', ...action(completes)]),
          `-d ${quotedForFish(description)}`,
        ].join(' '),
      ),
    ]),
  ].join('\n')
}

function condition({ name }: CommandDescription): string {
  return quotedForFish(`__fish_seen_subcommand_from ${name}`)
}

function wordLines(command: CommandDescription): readonly string[] {
  const completes = completedWords(command)
  return completes === 'nothing' ? [] : [['complete -c ashlar -n', condition(command), ...action(completes)].join(' ')]
}

function action(completes: Completion): readonly string[] {
  switch (completes) {
    case 'nothing':
      return []
    case 'file':
      return ['-F']
    case 'directory':
      return [`-a '(__fish_complete_directories)'`]
    default:
      return [`-a ${quotedForFish(completes.join(' '))}`]
  }
}

/** Fish knows two escapes in single quotes. */
function quotedForFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}
