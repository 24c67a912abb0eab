import { fstatSync } from 'node:fs'

/** Returns whether a descriptor refers to a terminal. Loading `node:tty`, and with it `node:net`, takes some ms, so only devices are tested. */
export function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    return false // The descriptor is closed.
  }
}
