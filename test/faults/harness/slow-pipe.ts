import { stallingPipe } from '../../support/files/pipes.ts'

/** The rate at which a pipe is read. */
export interface ReadingPace {
  /** The bytes of each read. 0 stops reading. */
  readonly bytes: number
  /** Default 1. */
  readonly everyMillis?: number
}

/** A pipe with a slow reader. */
export interface SlowlyReadPipe {
  /** The write end, for the standard output of a process. */
  readonly fd: number
  /** Changes the rate. */
  pace(pace: ReadingPace): void
  /** Reads the rest and closes the pipe. Returns everything that was written. Call it after all writers have exited. */
  end(): string
}

/** Creates a pipe that is read at a rate. */
export function slowlyReadPipe(path: string, first: ReadingPace): SlowlyReadPipe {
  const pipe = stallingPipe(path)
  const parts: string[] = []
  let timer: NodeJS.Timeout | undefined
  function pace({ bytes, everyMillis = 1 }: ReadingPace): void {
    clearInterval(timer)
    if (bytes > 0) timer = setInterval(() => parts.push(pipe.read(bytes)), everyMillis)
  }
  pace(first)
  return {
    fd: pipe.fd,
    pace,
    end() {
      clearInterval(timer)
      parts.push(pipe.readAll())
      pipe.close()
      return parts.join('')
    },
  }
}
