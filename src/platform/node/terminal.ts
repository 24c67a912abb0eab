import type { OutputDevice } from '../../encode/pretty/terminal-record.ts'
import { readVariable, valueOf, type Environment } from './variables.ts'

const defaultColumns = 80

/** Returns the device of a destination without a terminal. */
export function plainDevice(): OutputDevice {
  const workingDirectory = currentDirectory()
  return { key: workingDirectory, workingDirectory, columns: () => defaultColumns }
}

/** Returns the terminal of a file descriptor. Its width is read for each record, because users resize terminals. */
export function terminalDevice(fd: number): OutputDevice {
  const workingDirectory = currentDirectory()
  return { key: `${fd}:${workingDirectory}`, workingDirectory, columns: () => columnsOf(fd) }
}

/**
 * Returns the columns of the terminal of standard error for descriptor 2, and of standard output for any other descriptor, which probably
 * refers to the same terminal. Returns 80 if that stream has no width, as in worker threads.
 */
function columnsOf(fd: number): number {
  try {
    const { columns } = fd === 2 ? process.stderr : process.stdout
    return Number.isInteger(columns) && columns > 0 ? columns : defaultColumns
  } catch {
    return defaultColumns // The standard stream cannot be opened, or other code has replaced it.
  }
}

/** Returns the working directory with `/` as the separator and at its end; '' if it was removed. */
function currentDirectory(): string {
  try {
    const directory = process.cwd().replaceAll('\\', '/')
    return directory.endsWith('/') ? directory : `${directory}/`
  } catch {
    return ''
  }
}

/**
 * Returns whether to use color. The first rule that applies decides: `NO_COLOR` or Node's `NODE_DISABLE_COLORS` with any value but the
 * empty one, `FORCE_COLOR`, `TERM=dumb`, and whether the destination is a terminal.
 */
export function usesColor(isTerminal: boolean, environment: Environment): boolean {
  const isSet = (variable: string) => (readVariable(environment, variable) ?? '') !== ''
  if (isSet('NO_COLOR') || isSet('NODE_DISABLE_COLORS')) return false
  // An empty value counts as set.
  const forceColor = readVariable(environment, 'FORCE_COLOR')?.trim().toLowerCase()
  if (forceColor !== undefined) return forceColor !== '0' && forceColor !== 'false'
  return isTerminal && valueOf(environment, 'TERM') !== 'dumb'
}
