import { commandOf, commandWords } from '../options/command-table.ts'
import type { CommandName, OptionDefinition } from '../options/definition.ts'
import { options } from '../options/option-table.ts'
import { isList, optionWords, valuesOf } from './option-text.ts'

/** Returns the completion script for bash 3.2 and later. */
export function bashCompletions(): string {
  return `# Completions of sluice for bash: source <(sluice completions bash)
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="" before command=view
  # bash makes a word of the '=' in --option=value.
  if [ "$COMP_CWORD" -gt 0 ]; then previous="\${COMP_WORDS[COMP_CWORD-1]}"; fi
  if [ "$current" = "=" ]; then current=""
  elif [ "$previous" = "=" ] && [ "$COMP_CWORD" -gt 1 ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
      ${commandWords.join('|')}) command="\${COMP_WORDS[1]}" ;;
    esac
  fi
  COMPREPLY=()
  case "$command $previous" in
${valueCases().join('\n')}
  esac
  if [ "\${current:0:1}" = "-" ]; then
    case "$command" in
${(['view', ...commandWords] as const).map((name) => `      ${name}) COMPREPLY=($(compgen -W "${optionList(name)}" -- "$current")) ;;`).join('\n')}
    esac
    return
  fi
  case "$command" in
${(['view', ...commandWords] as const).map((name) => `    ${name}) ${operandReply(name)} ;;`).join('\n')}
  esac
}
complete -F _sluice sluice
`
}

/** Returns the cases in which the previous word is an option that takes a value. */
function valueCases(): string[] {
  return options.flatMap((option) => {
    if (option.value === undefined) return []
    const words = optionWords(option)
    const patterns = option.commands.flatMap((command) => words.map((word) => `"${command} ${word}"`))
    return [`    ${patterns.join('|')}) ${valueReply(option)}return ;;`]
  })
}

function valueReply(option: OptionDefinition): string {
  const values = valuesOf(option)
  if (values.length === 0) return ''
  const words = `compgen -W "${values.join(' ')}"`
  return isList(option)
    ? `before="\${current%"\${current##*,}"}"; COMPREPLY=($(${words} -P "$before" -- "\${current##*,}")); `
    : `COMPREPLY=($(${words} -- "$current")); `
}

function optionList(command: CommandName): string {
  return options
    .filter((option) => option.commands.includes(command))
    .flatMap(optionWords)
    .join(' ')
}

function operandReply(name: CommandName): string {
  const { completes } = commandOf(name)
  const files = 'COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null'
  if (name === 'view') {
    const words = commandWords.join(' ')
    return `${files}; if [ "$COMP_CWORD" = 1 ]; then COMPREPLY+=($(compgen -W "${words}" -- "$current")); fi`
  }
  if (name === 'codemod') {
    return `if [ "$COMP_CWORD" = 2 ]; then COMPREPLY=($(compgen -W "pino" -- "$current")); else ${files}; fi`
  }
  return completes === 'file' || completes === undefined
    ? files
    : `COMPREPLY=($(compgen -W "${completes.join(' ')}" -- "$current"))`
}
