import { pino, type Logger, type LoggerOptions } from '../../../src/entries/pino.ts'

/** A stream that keeps its lines. */
export class Lines {
  readonly lines: string[] = []
  write(line: string): void {
    this.lines.push(line)
  }
  get last(): Record<string, unknown> {
    return JSON.parse(this.lines.at(-1)!) as Record<string, unknown>
  }
}

/** A logger with a stream that keeps its lines. */
export function logged(options: LoggerOptions = {}): { log: Logger; kept: Lines } {
  const kept = new Lines()
  return { log: pino({ base: null, timestamp: false, ...options }, kept), kept }
}

/** Whether a text is JSON in which no object says a name twice, at the top level. */
export function isPlainLine(line: string): boolean {
  let parsed: object
  try {
    parsed = JSON.parse(line) as object
  } catch {
    return false
  }
  return topKeys(line).length === Object.keys(parsed).length
}

/** The names that a line says at its top level, as often as it says them. */
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
