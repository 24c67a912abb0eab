import { commandOf, commands, commandWords } from '../options/command-table.ts'
import type { CommandName, OptionDefinition } from '../options/definition.ts'
import { options } from '../options/option-table.ts'
import { isList, optionWords, valuesOf } from './option-text.ts'

/** Returns the completion script for zsh. It works as a file `_sluice` in `fpath`, and with `source`. */
export function zshCompletions(): string {
  return `#compdef sluice
# Completions of sluice for zsh: source <(sluice completions zsh), after compinit
_sluice() {
  local command=view
  if (( CURRENT > 2 )); then
    case "\${words[2]}" in
      ${commandWords.join('|')})
        command="\${words[2]}"
        words=(sluice "\${(@)words[3,-1]}")
        (( CURRENT-- ))
        ;;
    esac
  fi
  case "$command" in
${(['view', ...commandWords] as const).map(commandCase).join('\n')}
  esac
}
_sluice_operands() {
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(
${commands
  .filter(({ name }) => name !== 'view')
  .map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`)
  .join('\n')}
    )
    _describe command commands
  fi
  _files
}
if [ "$funcstack[1]" = "_sluice" ]; then _sluice "$@"; else compdef _sluice sluice; fi
`
}

function commandCase(name: CommandName): string {
  const specs = options.filter((option) => option.commands.includes(name)).flatMap(optionSpecs)
  const lines = [...specs, ...operandSpecs(name)].map((spec) => `        ${quoted(spec)}`)
  return [`    ${name})`, '      _arguments -s -S : \\', lines.join(' \\\n'), '      ;;'].join('\n')
}

function operandSpecs(name: CommandName): string[] {
  const { completes } = commandOf(name)
  if (name === 'view') return ['*:file:_sluice_operands']
  if (name === 'codemod') return ['1:library:(pino)', '*:file:_files']
  if (completes === 'file' || completes === undefined) return ['*:file:_files']
  return [`1:word:(${completes.join(' ')})`]
}

/** Returns the specifications of both forms of an option for `_arguments`. */
function optionSpecs(option: OptionDefinition): string[] {
  const { summary, value, isRepeatable } = option
  const forms = optionWords(option)
  const description = `[${summary.replace(/[[\]\\]/g, '\\$&')}]`
  const exclusion = isRepeatable === true ? '*' : `(${forms.join(' ')})`
  const values = valuesOf(option)
  const words = values.map((word) => word.replace(/^-/, '\\-')).join(' ')
  const action = values.length === 0 ? '' : isList(option) ? `_values -s , value ${words}` : `(${words})`
  return forms.map((form) => {
    if (value === undefined) return `${exclusion}${form}${description}`
    // The value follows as the next word; after a long option also with '='.
    const mark = form.startsWith('--') ? '=' : '+'
    return `${exclusion}${form}${mark}${description}:${value.replaceAll(':', '\\:')}:${action}`
  })
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
