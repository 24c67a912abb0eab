import { pino, type Logger, type LoggerOptions } from '../../../src/entries/pino.ts'

/** A stream that stores the lines written to it. */
export class Lines {
  readonly lines: string[] = []
  write(line: string): void {
    this.lines.push(line)
  }
  get last(): Record<string, unknown> {
    return JSON.parse(this.lines.at(-1)!) as Record<string, unknown>
  }
}

/** Creates a logger with a stream that stores its lines. */
export function logged(options: LoggerOptions = {}): { log: Logger; kept: Lines } {
  const kept = new Lines()
  return { log: pino({ base: null, timestamp: false, ...options }, kept), kept }
}

/** Returns whether a line is valid JSON without duplicate keys at the top level. */
export function isPlainLine(line: string): boolean {
  let parsed: object
  try {
    parsed = JSON.parse(line) as object
  } catch {
    return false
  }
  return topKeys(line).length === Object.keys(parsed).length
}

/** Returns the top-level keys of a line, including duplicates. */
export function topKeys(line: string): string[] {
  const keys: string[] = []
  let depth = 0
  for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && token.endsWith(':')) keys.push(token)
  }
  return keys
}
