import { closeSync, openSync, writeSync } from 'node:fs'

/** The levels of the lines and their shares. */
const errorShare = 0.01
const warnShare = 0.05
const batchLines = 1_000

/** A generated log file. */
export interface LogFile {
  readonly path: string
  readonly bytes: number
  readonly lines: number
  /** The number of lines of the level error. */
  readonly errors: number
  /** The trace ID of some of the lines. */
  readonly traceId: string
  /** The number of lines with it. */
  readonly tracedLines: number
}

/**
 * Writes a log as a web service with sluice writes it: a line for each request, with a few attributes and the IDs of its span. The same
 * arguments create the same file.
 *
 * @param bytes - the minimum size
 */
export function writeLog(path: string, bytes: number, seed = 1): LogFile {
  const random = randomNumbers(seed)
  const hex = (digits: number): string =>
    Array.from({ length: digits / 4 }, () =>
      Math.floor(random() * 65_536)
        .toString(16)
        .padStart(4, '0'),
    ).join('')
  const fd = openSync(path, 'w')
  let time = Date.UTC(2026, 0, 1)
  let trace = hex(32)
  const file = { path, bytes: 0, lines: 0, errors: 0, traceId: trace, tracedLines: 0 }
  while (file.bytes < bytes) {
    let batch = ''
    for (let index = 0; index < batchLines; index++) {
      time += Math.floor(random() * 20)
      if (random() < 0.25) trace = hex(32)
      const share = random()
      const level = share < errorShare ? 'error' : share < warnShare ? 'warn' : 'info'
      const order = Math.floor(random() * 1e6)
      const duration = Math.round(random() * 1e5) / 1e3
      const status = level === 'error' ? 500 : level === 'warn' ? 404 : 200
      batch += `${JSON.stringify({
        timestamp: new Date(time).toISOString(),
        level,
        message: `GET /orders/${order} ${status} in ${Math.round(duration)} ms`,
        trace_id: trace,
        span_id: hex(16),
        trace_flags: '01',
        'otel.scope.name': 'shop.http',
        attributes: {
          'http.request.method': 'GET',
          'url.path': `/orders/${order}`,
          'http.response.status_code': status,
          duration,
          tenant: `tenant-${order % 50}`,
          user: { id: Math.floor(random() * 1e6), roles: ['reader', 'buyer'] },
        },
      })}\n`
      file.lines++
      if (level === 'error') file.errors++
      if (trace === file.traceId) file.tracedLines++
    }
    const written = Buffer.from(batch)
    for (let offset = 0; offset < written.length;) offset += writeSync(fd, written, offset)
    file.bytes += written.length
  }
  closeSync(fd)
  return file
}

/** Returns numbers from 0 to 1 that a seed determines (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
