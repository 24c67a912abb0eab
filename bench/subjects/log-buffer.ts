import { plainLine, readPlainLine } from './plain-line.ts'
import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Log, Subject } from './subject.ts'

interface LogBuffer {
  flush(): void
}

/** log-buffer replaces the methods of `console` when it is loaded. */
export const logBuffer: Subject = {
  title: 'log-buffer 0.0.3 (8 KiB), console.log(JSON.stringify({ time, level, message, ... }))',
  whenFull: 'keeps everything in memory, without a limit',
  async open(): Promise<Log> {
    const { default: buffer } = await importRival<{ default: LogBuffer }>('log-buffer')
    return {
      text: (message) => console.log(plainLine(message)),
      attributes: (message, attributes) => console.log(plainLine(message, attributes)),
      async flush() {
        buffer.flush()
        await standardOutputDrained()
      },
    }
  },
  read: readPlainLine,
}
