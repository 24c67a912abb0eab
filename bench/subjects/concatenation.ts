import { writeSync } from 'node:fs'
import { readPlainLine } from './plain-line.ts'
import type { Log, Subject } from './subject.ts'

interface Reported {
  readonly method: string
  readonly url: string
  readonly status?: number
  readonly ms?: number
}

const start = (message: string): string => '{"time":' + Date.now() + ',"level":"info","message":"' + message + '"'

/** What no logger can be cheaper than: nothing is asked of the values, nothing is kept, and only these two lines can be said. */
export const concatenation: Subject = {
  title: 'no logger: the two lines put together by +, each turn written by writeSync',
  whenFull: 'blocks',
  async open(): Promise<Log> {
    let waiting = ''
    function write(): void {
      const text = waiting
      waiting = ''
      writeSync(1, text, null, 'latin1')
    }
    function add(line: string): void {
      if (waiting === '') setImmediate(write)
      waiting += line
    }
    return {
      text: (message) => add(start(message) + '}\n'),
      attributes(message, attributes) {
        const { method, url, status, ms } = attributes as Reported
        const request = start(message) + ',"method":"' + method + '","url":"' + url + '"'
        add(status === undefined ? request + '}\n' : request + ',"status":' + status + ',"ms":' + ms + '}\n')
      },
      flush: () => (waiting === '' ? undefined : write()),
    }
  },
  read: readPlainLine,
}
