import { constants } from 'node:fs'

type FlagName = 'O_NONBLOCK' | 'O_NOCTTY' | 'O_NOFOLLOW' | 'O_DIRECTORY' | 'O_PATH'

const { O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants as Partial<Record<FlagName, number>>

/** Flags of POSIX open. Those that Windows does not have are 0 there. */
export const openFlags: Readonly<Record<FlagName, number>> = {
  O_NONBLOCK,
  O_NOCTTY,
  O_NOFOLLOW,
  O_DIRECTORY,
  // Node has no constant for it. It requires no permission to read the directory (Linux, open(2)).
  O_PATH: process.platform === 'linux' ? 0o10000000 : 0,
}
