import { writeSync } from 'node:fs'
import { readPlainLine } from './plain-line.ts'
import type { Log, Subject } from './subject.ts'

interface RequestAttributes {
  readonly method: string
  readonly url: string
  readonly status?: number
  readonly ms?: number
}

const start = (message: string): string => '{"time":' + Date.now() + ',"level":"info","message":"' + message + '"'

/** A lower bound for any logger: it does not check values, and can write only the two lines of a request. */
export const concatenation: Subject = {
  title: 'no logger: the two lines concatenated with +, written with writeSync once per turn',
  whenFull: 'blocks',
  async open(): Promise<Log> {
    let pending = ''
    function write(): void {
      const text = pending
      pending = ''
      writeSync(1, text, null, 'latin1')
    }
    function add(line: string): void {
      if (pending === '') setImmediate(write)
      pending += line
    }
    return {
      text: (message) => add(start(message) + '}\n'),
      attributes(message, attributes) {
        const { method, url, status, ms } = attributes as RequestAttributes
        const request = start(message) + ',"method":"' + method + '","url":"' + url + '"'
        add(status === undefined ? request + '}\n' : request + ',"status":' + status + ',"ms":' + ms + '}\n')
      },
      flush: () => (pending === '' ? undefined : write()),
    }
  },
  read: readPlainLine,
}
