import { globSync, writeFileSync } from 'node:fs'

/** The wall clock of the processes that are started with it. */
export interface FakeClock {
  readonly library: string
  readonly env: Readonly<Record<string, string>>
  /** How wrong it is from the next second on. */
  set(seconds: number): void
}

/** Where libfaketime is, if it is here. */
export function fakeTimeLibrary(): string | undefined {
  if (process.env.NOFAKE) return undefined
  return globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]
}

/** Makes a clock; monotonic time stays what it is. */
export function fakeClock(library: string, path: string): FakeClock {
  const set = (seconds: number): void => writeFileSync(path, `${seconds < 0 ? '' : '+'}${seconds}`)
  set(0)
  return {
    library,
    env: {
      FAKETIME_TIMESTAMP_FILE: path,
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_CACHE_DURATION: '1',
    },
    set,
  }
}
