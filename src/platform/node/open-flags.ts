import { constants } from 'node:fs'

type FlagName = 'O_NONBLOCK' | 'O_NOCTTY' | 'O_NOFOLLOW' | 'O_DIRECTORY' | 'O_PATH'

const { O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants as Partial<Record<FlagName, number>>

/** Flags of open(2). A flag that the system does not have is 0. */
export const openFlags: Readonly<Record<FlagName, number>> = {
  O_NONBLOCK,
  O_NOCTTY,
  O_NOFOLLOW,
  O_DIRECTORY,
  // Node has no constant for O_PATH, which opens a directory without permission to read it (Linux, open(2)).
  O_PATH: process.platform === 'linux' ? 0o10000000 : 0,
}
