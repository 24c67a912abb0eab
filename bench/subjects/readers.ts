import type { Line, Log, Subject } from './subject.ts'

/** Returns a program that reads logs, which is not a logger. */
function reader(title: string): Subject {
  return {
    title,
    whenFull: 'blocks',
    async open(): Promise<Log> {
      throw new Error(`${title} is not a logger`)
    },
    read(): Line {
      throw new Error(`${title} is not a logger`)
    },
  }
}

export const sluiceReader: Subject = reader('sluice, the command line')
export const sluiceViewer: Subject = reader('sluice ui, the viewer')
export const pinoPrettyReader: Subject = reader('pino-pretty 13.2, the command line')
export const jq: Subject = reader('jq')
export const lnav: Subject = reader('lnav -n')
export const grep: Subject = reader('grep, which does not parse lines')
export const sort: Subject = reader('sort of GNU coreutils, which sorts by a column')
export const tail: Subject = reader('tail -F')
