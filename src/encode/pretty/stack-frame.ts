import { sgr, type Paint } from './colors.ts'
import { escapeForTerminal } from './visible.ts'

/** A line of a stack trace that names a function and a location. */
export interface StackFrame {
  /** The function, with `async` or `new` before it; `async` or '' if it has no name. */
  readonly functionName: string
  /** The location: a path with line and column, relative to the working directory if it is inside. */
  readonly location: string
  /** Whether the frame is of the program: not of Node, not of a package in `node_modules`, and not of native code. */
  readonly isOwn: boolean
}

/**
 * Parses a line such as `    at placeOrder (/app/src/order.ts:3:7)`. Returns undefined for any other line.
 *
 * @param workingDirectory - the directory that paths become relative to, with `/` as the separator and at its end; '' to keep them
 */
export function parseFrame(line: string, workingDirectory: string): StackFrame | undefined {
  // Node writes ` {` after the last frame of an uncaught error with a cause.
  const text = /^\s+at (.+)$/.exec(line)?.[1]?.replace(/(?<=[\d)]) \{$/, '')
  if (text === undefined) return undefined
  const open = text.endsWith(')') ? text.indexOf(' (') : -1
  const isAsync = open < 0 && text.startsWith('async ')
  const functionName = open < 0 ? (isAsync ? 'async' : '') : text.slice(0, open)
  const source = open < 0 ? text.slice(isAsync ? 6 : 0) : text.slice(open + 2, -1)
  const path = pathOf(source)
  const isOwn = path.includes(':') && !/^(?:node:|native\b|<)|(?:^|[/\\])node_modules[/\\]/.test(path)
  const isInside = workingDirectory !== '' && path.replaceAll('\\', '/').startsWith(workingDirectory)
  return { functionName, location: isInside ? path.slice(workingDirectory.length) : path, isOwn }
}

/** Returns the text of a frame: own frames bright, all others dim. */
export function frameText({ functionName, location, isOwn }: StackFrame, paint: Paint): string {
  const [name, path] = [escapeForTerminal(functionName), escapeForTerminal(location)]
  const isNameless = name === '' || name === 'async'
  if (!isOwn) return paint(sgr.dim, isNameless ? `at ${name} ${path}`.replace('  ', ' ') : `at ${name} (${path})`)
  const at = paint(sgr.dim, name === 'async' ? 'at async ' : 'at ')
  // Terminals of editors recognize `path:line:column` as a link if no other color begins inside it.
  return isNameless
    ? at + paint(sgr.cyan, path)
    : `${at}${name} ${paint(sgr.dim, '(')}${paint(sgr.cyan, path)}${paint(sgr.dim, ')')}`
}

/** Returns the path of a location, without the scheme `file:`. */
function pathOf(source: string): string {
  if (!source.startsWith('file://')) return source
  const path = source.slice(/^file:\/\/\/[A-Za-z]:/.test(source) ? 8 : 7)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
