import { escapeForTerminal } from '../../encode/pretty/visible.ts'
import { textOfUtf8 } from './visible-text.ts'

/** Returns the lines of passed-through text, without their line ends. */
export function linesOf(bytes: Uint8Array): string[] {
  const lines = textOfUtf8(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/**
 * Returns a line of JSON, logfmt or CSV without characters that a terminal would interpret. In JSON and logfmt, these are only inside of
 * strings, and the escapes are those of JSON, so that the values stay the same.
 */
export function safeOnTerminal(line: string): string {
  return escapeForTerminal(line)
}
