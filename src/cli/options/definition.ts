/** The commands of `sluice`. `view` has no name on the command line: it runs if the first argument is not a command. */
export type CommandName = 'view' | 'stats' | 'check' | 'ui' | 'level' | 'codemod' | 'completions' | 'help'

/** The long names of all options, without dashes. */
export type OptionName =
  | 'level'
  | 'query'
  | 'since'
  | 'until'
  | 'trace'
  | 'trace-of'
  | 'tail'
  | 'after-context'
  | 'before-context'
  | 'context'
  | 'follow'
  | 'input'
  | 'map'
  | 'sort'
  | 'sync-window'
  | 'output'
  | 'include'
  | 'exclude'
  | 'time'
  | 'color'
  | 'no-pager'
  | 'redact'
  | 'exit-code'
  | 'by'
  | 'percentiles'
  | 'interval'
  | 'top'
  | 'sequence'
  | 'url'
  | 'for'
  | 'forever'
  | 'revert'
  | 'token-file'
  | 'port'
  | 'host'
  | 'token'
  | 'max-memory'
  | 'db'
  | 'max-db'
  | 'write'
  | 'help'
  | 'version'

/** The completions that a shell offers for the value of an option, or for an operand. */
export type CompletionKind = 'file' | readonly string[]

/** An option of one or more commands. */
export interface OptionDefinition {
  readonly name: OptionName
  /** The letter of the short form. */
  readonly short?: string
  /** The name of the value in the help; undefined for an option without a value. */
  readonly value?: string
  /** Values that a shell offers. Other values are valid too. */
  readonly suggestions?: readonly string[]
  /** The only values; any other is an error. */
  readonly choices?: readonly string[]
  /** The value that applies without the option, as the help shows it. */
  readonly default?: string
  /** Whether every occurrence counts, not only the last one. */
  readonly isRepeatable?: true
  readonly group: OptionGroup
  readonly commands: readonly CommandName[]
  /** One line for the help: a phrase that begins with a verb, without a period. */
  readonly summary: string
  /** Further sentences, in Markdown, for the man page and the reference. */
  readonly details?: string
}

/** The headings under which the help lists options, in this order. */
export const optionGroups: readonly OptionGroup[] = [
  'Filter',
  'Input',
  'Order',
  'Output',
  'Summary',
  'Level',
  'Viewer',
  'Changes',
  'General',
]

/** A heading of the help. */
export type OptionGroup =
  | 'Filter'
  | 'Input'
  | 'Order'
  | 'Output'
  | 'Summary'
  | 'Level'
  | 'Viewer'
  | 'Changes'
  | 'General'

/** A command of `sluice`. */
export interface CommandDefinition {
  readonly name: CommandName
  /** The operands in the help, such as `[FILE…]`. */
  readonly operands: string
  readonly completes?: CompletionKind
  /** One line for the help: a phrase that begins with a verb, without a period. */
  readonly summary: string
  /** Paragraphs, in Markdown, for the help of the command, the man page and the reference. */
  readonly details: readonly string[]
  readonly examples: readonly CommandExample[]
}

/** A command line with a comment. */
export interface CommandExample {
  readonly command: string
  readonly comment: string
}
