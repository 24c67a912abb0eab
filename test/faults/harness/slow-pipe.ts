import { stallingPipe } from '../../support/files/pipes.ts'

/** How fast a pipe is read. */
export interface ReadingPace {
  /** How many bytes at a time; 0: none. */
  readonly bytes: number
  /** Default 1. */
  readonly everyMillis?: number
}

/** A pipe with a reader that does not keep up. */
export interface SlowlyReadPipe {
  /** The writing end, for the standard output of a process. */
  readonly fd: number
  /** From now on it is read like this. */
  pace(pace: ReadingPace): void
  /** Closes it when those who write have ended. Returns all that was written. */
  end(): string
}

/** Makes a pipe that is read at a pace. */
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
