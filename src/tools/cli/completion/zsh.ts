import type { CommandDescription, Completion } from '../command.js'
import { completedOptions, completedWords, quoted } from './completed-options.js'

/** Returns the completion script for zsh. */
export function zshCompletion(commands: readonly CommandDescription[]): string {
  return [
    '#compdef ashlar',
    '# Completion of ashlar for zsh: source <(ashlar completion zsh)',
    '_ashlar() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`),
    '  )',
    '  if (( CURRENT == 2 )); then',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $command in',
    ...commands.flatMap((command) => [
      `    ${command.name})`,
      `      _arguments ${[...completedOptions(command).map(optionSpec), wordSpec(command)].map(quoted).join(' ')} ;;`,
    ]),
    '  esac',
    '}',
    'compdef _ashlar ashlar',
  ].join('\n')
}

function optionSpec({ name, description, value, completes }: ReturnType<typeof completedOptions>[number]): string {
  const label = `--${name}[${escaped(description)}]`
  return value === null ? label : `${label}:${escaped(value)}:${action(completes)}`
}

function wordSpec(command: CommandDescription): string {
  return `*:${command.parameters[0]?.name ?? 'word'}:${action(completedWords(command))}`
}

/** Colons and brackets end the parts of a specification. */
function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`)
}

function action(completes: Completion): string {
  switch (completes) {
    case 'nothing':
      return ' '
    case 'file':
      return '_files'
    case 'directory':
      return '_files -/'
    default:
      return `(${completes.join(' ')})`
  }
}
