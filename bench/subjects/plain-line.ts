import type { Line } from './subject.ts'

/** Returns a line as programs without a logger write it, with `JSON.stringify`. */
export function plainLine(message: string, attributes?: object): string {
  return JSON.stringify({ time: Date.now(), level: 'info', message, ...attributes })
}

export function readPlainLine({ time, level, message, ...attributes }: Readonly<Record<string, unknown>>): Line {
  return { time: Number(time), level: String(level), message, attributes }
}
