import { constants } from 'node:fs'

type FlagName = 'O_NONBLOCK' | 'O_NOCTTY' | 'O_NOFOLLOW' | 'O_DIRECTORY'

const { O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants as Partial<Record<FlagName, number>>

/** Flags of POSIX open that Windows lacks; there they are 0. */
export const openFlags: Readonly<Record<FlagName, number>> = { O_NONBLOCK, O_NOCTTY, O_NOFOLLOW, O_DIRECTORY }
