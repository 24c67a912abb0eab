import { spawnSync } from 'node:child_process'

/** The uid of the user `nobody` on most systems. */
export const otherUser = 65_534

/** Whether this process may act as another user: containers and CI run as root. */
export const canBeOtherUser: boolean = process.geteuid?.() === 0

/** What a test with two users needs, for `needs()`. */
export const twoUsers = 'a second user (run the tests as root)'

/** Runs a shell script as another user, who is in no group of the current user. */
export function asOtherUser(script: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('sh', ['-ceu', script, 'sh', ...args], {
    uid: otherUser,
    gid: otherUser,
    cwd: '/',
    encoding: 'utf8',
    timeout: 10_000,
  })
  if (status !== 0) throw new Error(`as user ${otherUser}: ${stderr}`)
}

/** Calls a synchronous function with the permissions of another user. */
export function actingAsOtherUser<T>(action: () => T): T {
  const [uid, gid] = [process.geteuid!(), process.getegid!()]
  process.setegid!(otherUser)
  process.seteuid!(otherUser)
  try {
    return action()
  } finally {
    process.seteuid!(uid)
    process.setegid!(gid)
  }
}
