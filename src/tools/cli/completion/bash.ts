import type { CommandDescription, Completion } from '../command.js'
import { completedOptions, completedWords, quoted } from './completed-options.js'

/** Returns the completion script for bash. */
export function bashCompletion(commands: readonly CommandDescription[]): string {
  const values = commands.flatMap((command) =>
    completedOptions(command).flatMap(({ name, value, completes }) =>
      value === null ? [] : [`    ${quoted(`${command.name} --${name}`)}) ${replies(completes)}; return ;;`],
    ),
  )
  const options = commands.map((command) => {
    const words = completedOptions(command).map(({ name }) => `--${name}`)
    return `      ${command.name}) ${replies(words)} ;;`
  })
  const words = commands.map((command) => `    ${command.name}) ${replies(completedWords(command))} ;;`)
  return [
    '# Completion of ashlar for bash: source <(ashlar completion bash)',
    '_ashlar() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}',
    '  COMPREPLY=()',
    '  if [[ $COMP_CWORD -eq 1 ]]; then',
    `    ${replies(commands.map(({ name }) => name))}`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]} $previous" in',
    ...values,
    '  esac',
    '  if [[ $current == -* ]]; then',
    '    case ${COMP_WORDS[1]} in',
    ...options,
    '    esac',
    '    return',
    '  fi',
    '  case ${COMP_WORDS[1]} in',
    ...words,
    '  esac',
    '}',
    'complete -o filenames -F _ashlar ashlar',
  ].join('\n')
}

function replies(completes: Completion): string {
  switch (completes) {
    case 'nothing':
      return ':'
    case 'file':
      return 'COMPREPLY=($(compgen -f -- "$current"))'
    case 'directory':
      return 'COMPREPLY=($(compgen -d -- "$current"))'
    default:
      return `COMPREPLY=($(compgen -W ${quoted(completes.join(' '))} -- "$current"))`
  }
}
