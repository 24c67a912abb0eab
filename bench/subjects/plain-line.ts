import type { Line } from './subject.ts'

/** What people without a logger write: `JSON.stringify` of all there is to say. */
export function plainLine(message: string, attributes?: object): string {
  return JSON.stringify({ time: Date.now(), level: 'info', message, ...attributes })
}

export function readPlainLine({ time, level, message, ...attributes }: Readonly<Record<string, unknown>>): Line {
  return { time: Number(time), level: String(level), message, attributes }
}
