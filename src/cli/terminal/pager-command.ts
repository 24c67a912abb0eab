import { readVariable, type Environment } from '../../platform/node/variables.ts'

/** A program that shows text page by page. */
export interface PagerCommand {
  readonly program: string
  readonly args: readonly string[]
  /** The variables that are added to the environment. */
  readonly variables: Readonly<Record<string, string>>
}

/** The pager without a setting. `-R` shows colors, and escapes all other control characters. */
const defaultPager = 'less -R'
/** `F`: quits if the text fits the screen. `R`: shows colors. `X`: leaves the text on the screen. */
const lessOptions = 'FRX'
/** Characters that a shell interprets. The same as in git, which also runs other values without a shell. */
const shellCharacters = /[|&;<>()$`\\"'*?[#~=%\n]/

/**
 * Returns the pager of the first variable that is set: `SLUICE_PAGER`, `PAGER`; `less -R` without one. The value is split at spaces and run
 * without a shell, unless it contains a character that a shell interprets; then `/bin/sh` runs it. Returns undefined if no pager is used:
 * the value is blank or `cat`, or the terminal cannot move the cursor (`TERM=dumb`).
 */
export function pagerCommand(environment: Environment): PagerCommand | undefined {
  const terminal = readVariable(environment, 'TERM') ?? ''
  if (terminal === '' || terminal === 'dumb') return undefined
  const value = readVariable(environment, 'SLUICE_PAGER') ?? readVariable(environment, 'PAGER') ?? defaultPager
  const words = value.split(/\s+/).filter((word) => word !== '')
  const [program] = words
  if (program === undefined || (program === 'cat' && words.length === 1)) return undefined
  const variables: Readonly<Record<string, string>> =
    readVariable(environment, 'LESS') === undefined ? { LESS: lessOptions } : {}
  return shellCharacters.test(value)
    ? { program: '/bin/sh', args: ['-c', value], variables }
    : { program, args: words.slice(1), variables }
}
