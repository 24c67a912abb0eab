import { Writable } from 'node:stream'
import bole, { type OutputOptions } from '../../../src/entries/bole.ts'

/** A stream that stores the chunks written to it. */
export class Chunks {
  readonly chunks: unknown[] = []
  write(chunk: unknown): void {
    this.chunks.push(chunk)
  }
  get text(): string {
    return this.chunks.map(String).join('')
  }
  get last(): Record<string, unknown> {
    return JSON.parse(String(this.chunks.at(-1))) as Record<string, unknown>
  }
}

/** Resets bole and adds a single output whose lines are stored. */
export function output(options: Partial<OutputOptions> = {}): Chunks {
  const kept = new Chunks()
  bole.reset().output({ level: 'debug', stream: kept, ...options })
  return kept
}

/** Creates a stream in object mode and the array of objects written to it. */
export function objectStream(): { stream: Writable; objects: unknown[] } {
  const objects: unknown[] = []
  const stream = new Writable({
    objectMode: true,
    write(record, _, done) {
      objects.push(record)
      done()
    },
  })
  return { stream, objects }
}
